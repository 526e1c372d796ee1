// `beforeCommand(client, isIt, act)`: a Redis client beside which somebody else acts just before a certain command.

import type { RedisClient } from '../../src/access/redis/connection.ts';

/**
 * The real client. Before each command that `isIt` accepts, by its name and its arguments, it waits for `act`: so the
 * command finds what another person or server has changed since the records were read.
 */
export const beforeCommand = (
  client: RedisClient,
  isIt: (name: string, args: readonly unknown[]) => boolean,
  act: () => Promise<unknown>,
): RedisClient =>
  new Proxy(client, {
    get(target, name) {
      const command: unknown = Reflect.get(target, name);
      if (typeof command !== 'function') return command;
      return async (...args: unknown[]) => {
        if (isIt(String(name), args)) await act();
        return command.apply(target, args);
      };
    },
  });
