// The reason and the remedy of a failed connection to Redis.

import { expect, it } from '@jest/globals';
import { connectionRemedy, otherOwnerRemedy, redisReason } from '../../../src/access/redis/redisReason.ts';

const SENTINELS = 'All sentinels are unreachable. Retrying from scratch after 100ms.';

it.each([
  [SENTINELS, 'no Sentinel names a master that answers'],
  [
    `${SENTINELS} Last error: Connection is closed.`,
    'no Sentinel names a master that answers: the connection to Redis is closed',
  ],
  [`${SENTINELS} Last error: NOAUTH`, 'no Sentinel names a master that answers: NOAUTH'],
  [
    '801C68F1:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../rec.c:1601:SSL alert number 116\n',
    'Redis asks for a certificate of the client',
  ],
  ['Failed to refresh slots cache.', 'no node of the cluster tells which node has which keys'],
  ['LOADING Redis is loading', 'LOADING Redis is loading'],
  // Node 24 and newer report this error.
  [
    'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    'self-signed certificate',
  ],
])('%j is said as %j', (message, reason) => {
  expect(redisReason(new Error(message))).toBe(reason);
});

// These are the messages of OpenSSL 3 and Node for a self-signed certificate, an unknown authority and a wrong date.
it.each([
  ['self-signed certificate', 'NODE_EXTRA_CA_CERTS'],
  ['unable to verify the first certificate', 'NODE_EXTRA_CA_CERTS'],
  ['unable to get local issuer certificate', 'NODE_EXTRA_CA_CERTS'],
  ['no Sentinel names a master that answers: certificate has expired', 'renew its certificate'],
  ['certificate is not yet valid', 'the clocks of both machines'],
  ['Redis asks for a certificate of the client', 'tls-auth-clients'],
  [
    "ERR unknown command 'sentinel', with args beginning with: 'get-master-addr-by-name'",
    'if it is one server',
  ],
  ['NOAUTH HELLO must be called with the client already authenticated', 'its user and password'],
  ['WRONGPASS invalid username-password pair or user is disabled.', 'correct the user and the password'],
  ['ERR DB index is out of range', 'the number at the end of REDIS_URL'],
  ["NOPERM User data-api has no permissions to run the 'select' command", '+select'],
  ["NOPERM this user has no permissions to run the 'select' command", '+select'],
])('the remedy of %j has %j', (reason, remedy) => {
  expect(connectionRemedy(reason)).toContain(remedy);
});

it.each([
  ['connect ETIMEDOUT', true, 'redis:// if it expects no TLS'],
  ['write ECONNRESET', false, 'rediss:// if it expects TLS'],
])('whether %j over TLS is %j decides about its remedy', (reason, isTls, remedy) => {
  expect([
    connectionRemedy(reason, isTls),
    connectionRemedy(reason, !isTls),
    connectionRemedy(reason),
  ]).toEqual([expect.stringContaining(remedy), undefined, undefined]);
});

it.each([
  ['no node of the cluster tells which node has which keys', 'cluster'],
  ['no Sentinel names a master that answers: the connection to Redis is closed', 'sentinel'],
])('the remedy of %j names the other scheme', (reason, kind) => {
  expect(connectionRemedy(reason, false)).toContain(`rediss+${kind}:// if`);
  expect(connectionRemedy(reason, true)).toMatch(new RegExp(`NODE_EXTRA_CA_CERTS.* redis\\+${kind}:// if`));
});

it('a connection that fails for another reason has no remedy of its own', () => {
  expect(connectionRemedy('connect ECONNREFUSED 127.0.0.1:6379')).toBeUndefined();
});

it.each([
  'connect EACCES /data/redis/redis.sock',
  "Can't open the append-only file appendonly.aof.1.incr.aof: Permission denied",
])('the remedy of %j names the folder to give to the user of the server', (failure) => {
  expect(otherOwnerRemedy(failure, '/data/redis')).toContain('give /data/redis to the user of this process');
  expect(otherOwnerRemedy(failure.replace(/EACCES|Permission denied/, 'ENOENT'), '/data/redis')).toBe('');
});
