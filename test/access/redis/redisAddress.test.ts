// The forms of `REDIS_URL`.

import { expect, it } from '@jest/globals';
import { describeRedisAddress, parseRedisAddress } from '../../../src/access/redis/redisAddress.ts';

it.each([
  ['unix:///run/redis.sock', '/run/redis.sock'],
  ['redis://ada:secret@db', 'db:6379'],
  ['redis://a:7000,b', 'a:7000, b:6379'],
  ['redis+sentinel://a,b:1/main', 'a:26379, b:1'],
])('%s is described without its password', (url, description) => {
  const address = parseRedisAddress(url);
  expect(address && describeRedisAddress(address)).toBe(description);
});

it.each([
  ['redis://a', false],
  ['redis+cluster://a', true],
  ['redis://a,b', true],
  ['redis+sentinel://a,b/main', false],
])('%s names a cluster: %s', (url, cluster) => {
  expect(parseRedisAddress(url)).toMatchObject({ cluster });
});

it.each([
  ['redis://ada:secret@db', 'ada', 'secret'],
  ['redis://a,ada:secret@b', 'ada', 'secret'],
  ['redis://db', null, null],
])('%s gives the login of whichever node has one', (url, username, password) => {
  expect(parseRedisAddress(url)).toMatchObject({ username, password });
});

it.each([
  'redis://db/first',
  'redis://db/0/1',
  'redis://db?db=1',
  'redis://db#1',
  'redis://:6379',
  'redis://h:0',
  'redis+sentinel://h:0/main',
  'redis://a,',
  'redis://a/1,b',
  'redis+cluster://a/1',
  'redis+sentinel://a',
  'redis+sentinel://a/main/1',
  'unix://redis.sock',
  'http://db',
])('%s is no address', (url) => {
  expect(parseRedisAddress(url)).toBeUndefined();
});
