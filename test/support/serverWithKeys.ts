// Starts a server that requires keys: `const api = await startServerWithKeys()`, and `await api.key()` makes one.

import { keyUsage } from '../../src/access/keys/dailyUsage.ts';
import { type Keys, keysOf } from '../../src/access/keys/keys.ts';
import { hashOf } from '../../src/access/secret.ts';
import { createAuthenticator } from '../../src/http/middleware/authenticator.ts';
import { patientGate } from './patientGate.ts';
import { openDatabase, type TestDatabase } from './redis.ts';
import { retryThrown } from './retryUnavailable.ts';
import { type StartOptions, startServer, type TestServer } from './server.ts';

export interface ServerWithKeys extends TestServer {
  readonly redis: TestDatabase;
  readonly keys: Keys;
  /** Makes a key, and returns its text. */
  key(): Promise<string>;
}

export interface ServerWithKeysOptions extends StartOptions {
  readonly limits?: {
    readonly perMinute?: number;
    readonly perDay?: number;
    readonly minuteMs?: number;
    readonly dayMs?: number;
  };
}

/** Starts the server on a database of the shared Redis. */
export async function startServerWithKeys({
  limits,
  ...options
}: ServerWithKeysOptions = {}): Promise<ServerWithKeys> {
  const redis = await openDatabase();
  const gate = patientGate(redis.client, { perMinute: 100, perDay: 10_000, ...limits });
  const server = await startServer({
    ...options,
    authenticator: createAuthenticator(gate, () => {}),
    readUsage: (key, nowMs) => retryThrown(() => keyUsage(redis.client, hashOf(key), nowMs)),
  });
  const keys = keysOf(redis.client);
  return {
    ...server,
    redis,
    keys,
    key: async () => (await keys.issue({ label: 'test', by: 'test' })).key,
    async close() {
      await server.close();
      await redis.close();
    },
  };
}
