import { expect, it } from '@jest/globals';
import { describeRedisAddress, parseRedisAddress } from '../../../src/access/redis/address.ts';

it.each([
  ['unix:///run/redis.sock', '/run/redis.sock'],
  ['redis://ada:secret@db', 'db:6379'],
  ['redis://a:7000,b', 'a:7000, b:6379'],
  ['redis+sentinel://a,b:1/main', 'a:26379, b:1'],
])('%s is described without its password', (url, description) => {
  const address = parseRedisAddress(url);
  expect(address && describeRedisAddress(address)).toBe(description);
});
