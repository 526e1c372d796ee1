// Says in plain words why Redis cannot be reached or a command had no answer, and names the remedy.

import { certificateRemedy, withoutAdvice } from '../../system/certificates.ts';

/** The reason of a command that was not sent. The error that ended the connection says more. */
export const NOT_CONNECTED = 'there is no connection to Redis';

/** The messages of the libraries, each with its meaning for an operator. */
const WORDS: readonly (readonly [RegExp, words: string])[] = [
  [/^Stream isn't writeable/, NOT_CONNECTED],
  [/^Reached the max retries per request/, 'the connection to Redis was lost'],
  [/^Connection is closed/, 'the connection to Redis is closed'],
  [/^Command timed out/, 'Redis did not answer in time'],
  [/^Failed to refresh slots cache/, 'no node of the cluster tells which node has which keys'],
  // OpenSSL adds numbers, a place in its source and a line break to this message.
  [/:SSL routines:.*alert certificate required/, 'Redis asks for a certificate of the client'],
];

/** The reason of a failed command, for people. A message of Redis itself stays as it is. */
export function redisReason({ message }: Pick<Error, 'message'>): string {
  const ofSentinels = NO_SENTINEL.exec(message);
  if (ofSentinels !== null) {
    const last = ofSentinels[1];
    return `no Sentinel names a master that answers${last === undefined ? '' : `: ${redisReason({ message: last })}`}`;
  }
  return WORDS.find(([pattern]) => pattern.test(message))?.[1] ?? withoutAdvice(message);
}

/** ioredis reports this both when no Sentinel answers and when Sentinels answer but their master does not. */
const NO_SENTINEL =
  /^All sentinels are unreachable\. Retrying from scratch after \d+ms\.(?: Last error: (.+))?/s;

/**
 * The remedy for a connection that fails for this reason; undefined when the reason has no remedy of its own.
 *
 * @param isTls whether `REDIS_URL` requires TLS; left out for remedies that do not depend on it.
 */
export function connectionRemedy(reason: string, isTls?: boolean): string | undefined {
  const remedy = certificateRemedy(reason) ?? REMEDIES.find(([pattern]) => pattern.test(reason))?.[1];
  if (remedy !== undefined) return remedy;
  const [, plain, overTls] = OF_SEVERAL_SERVERS.find(([pattern]) => pattern.test(reason)) ?? [];
  if (plain !== undefined) return isTls === true ? overTls : plain;
  // A Redis without TLS waits for the end of a line, which a client with TLS never sends.
  if (isTls === true && reason.includes('ETIMEDOUT'))
    return 'start it, correct REDIS_URL, or write redis:// if it expects no TLS';
  return isTls === false && CLOSED.test(reason) ? CLOSED_AT_ONCE : undefined;
}

/** The reasons of a connection that Redis has closed. */
const CLOSED = /EPIPE|ECONNRESET/;

/** The remedy for a Redis that closes each connection at once. */
export const CLOSED_AT_ONCE =
  'it takes connections and does not serve them: raise its maxclients, or write rediss:// if it expects TLS';

const REMEDIES: readonly (readonly [RegExp, remedy: string])[] = [
  [
    /asks for a certificate of the client/,
    'set its tls-auth-clients to no, because this program has no certificate',
  ],
  [/NOAUTH /, 'it asks for a password: write its user and password into REDIS_URL'],
  [/WRONGPASS /, 'correct the user and the password in REDIS_URL'],
  [/DB index is out of range/, 'correct the number at the end of REDIS_URL, or raise its setting databases'],
  [/unknown command .sentinel/i, 'name the Sentinels, or write redis:// if it is one server'],
  [/NOPERM .*'select'/, 'give the user the right +select, or leave the number at the end of REDIS_URL out'],
];

/**
 * The remedies for a cluster and for Sentinels, without and with TLS. ioredis does not say why none of the servers answers,
 * so each remedy names the frequent causes.
 */
const OF_SEVERAL_SERVERS: readonly (readonly [RegExp, plain: string, overTls: string])[] = [
  [
    /no node of the cluster tells/,
    'see that its nodes answer, write redis:// if it is one server, or rediss+cluster:// if it expects TLS',
    'see that its nodes answer, that their certificates name the hosts of REDIS_URL and that NODE_EXTRA_CA_CERTS names their authority; write rediss:// if it is one server, or redis+cluster:// if it expects no TLS',
  ],
  [
    /no Sentinel names a master that answers: the connection to Redis is closed/,
    'start the Sentinels, correct REDIS_URL, or write rediss+sentinel:// if they expect TLS',
    'start the Sentinels, see that their certificates name the hosts of REDIS_URL and that NODE_EXTRA_CA_CERTS names their authority, or write redis+sentinel:// if they expect no TLS',
  ],
];

/** The remedy when another user, such as root, owns files of the private Redis; empty for other failures. */
export const otherOwnerRemedy = (failure: string, folder: string): string =>
  /\bEACCES\b|Permission denied/.test(failure)
    ? `; a command of another user has made files there: give ${folder} to the user of this process (chown -R)`
    : '';
