// Starts a server that asks for keys: `const api = await startServerWithKeys()`, and `await api.key()` for one of them.

import { createGate, type Gate } from '../../src/access/gate.ts';
import { hashKey, type Keys, keysOf } from '../../src/access/keys.ts';
import { keyUsage } from '../../src/access/usage.ts';
import { createGuard } from '../../src/http/middleware/authenticate.ts';
import { openDatabase, type TestDatabase } from './redis.ts';
import { retryThrown } from './retryUnavailable.ts';
import { type StartOptions, startServer, type TestServer } from './server.ts';

export interface ServerWithKeys extends TestServer {
  readonly redis: TestDatabase;
  readonly keys: Keys;
  /** A new key, in clear. */
  key(): Promise<string>;
}

export interface ServerWithKeysOptions extends StartOptions {
  readonly limits?: {
    readonly perMinute?: number;
    readonly perDay?: number;
    readonly minuteMs?: number;
    readonly dayMs?: number;
  };
  /**
   * Asks Redis again when it does not answer in time, instead of answering 503: on a busy machine that happens to any
   * request, and a test that takes every 503 for a fault would find it.
   */
  readonly isPatient?: boolean;
}

export async function startServerWithKeys({
  limits,
  isPatient = false,
  ...options
}: ServerWithKeysOptions = {}): Promise<ServerWithKeys> {
  const redis = await openDatabase();
  const again = isPatient ? retryThrown : <Result>(ask: () => Promise<Result>) => ask();
  const impatient = createGate(redis.client, { perMinute: 100, perDay: 10_000, ...limits });
  const gate: Gate = {
    admit: (keyHash) => again(() => impatient.admit(keyHash)),
    check: (keyHash) => again(() => impatient.check(keyHash)),
  };
  const server = await startServer({
    ...options,
    guard: createGuard(gate, () => {}),
    readUsage: (key, nowMs) => again(() => keyUsage(redis.client, hashKey(key), nowMs)),
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
