import { expect, it } from '@jest/globals';
import { redisReason } from '../../../src/access/redis/reason.ts';

const SENTINELS = 'All sentinels are unreachable. Retrying from scratch after 100ms.';

it.each([
  [SENTINELS, 'no Sentinel names a master that answers'],
  [
    `${SENTINELS} Last error: Connection is closed.`,
    'no Sentinel names a master that answers: the connection to Redis is closed',
  ],
  [`${SENTINELS} Last error: NOAUTH`, 'no Sentinel names a master that answers: NOAUTH'],
  ['LOADING Redis is loading', 'LOADING Redis is loading'],
])('%j is said as %j', (message, reason) => {
  expect(redisReason(new Error(message))).toBe(reason);
});
