// A gate that asks Redis again when a busy machine delays it beyond the deadline: `const gate = patientGate(redis.client)`.

import { createGate, type Gate } from '../../src/access/gate/gate.ts';
import type { GateLimits } from '../../src/access/gate/gateCalls.ts';
import type { RedisClient } from '../../src/access/redis/connection.ts';
import type { Observe } from '../../src/observations.ts';
import { retryThrown } from './retryUnavailable.ts';

/** A gate for tests that are not about 503. It repeats a call that was too late, because that call has counted nothing. */
export function patientGate(
  redis: RedisClient,
  limits: GateLimits = { perMinute: 100, perDay: 10_000 },
  observe?: Observe,
): Gate {
  const gate = createGate(redis, limits, observe);
  return {
    admit: (keyHash) => retryThrown(() => gate.admit(keyHash)),
    check: (keyHash) => retryThrown(() => gate.check(keyHash)),
  };
}
