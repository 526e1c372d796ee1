// Says in plain words why a command had no answer of Redis, instead of in those of the client library.

/** What the client library says of a lost connection, and what that means to an operator. */
const WORDS: readonly (readonly [beginning: string, words: string])[] = [
  ["Stream isn't writeable", 'there is no connection to Redis'],
  ['Reached the max retries per request', 'the connection to Redis was lost'],
  ['Connection is closed', 'the connection to Redis is closed'],
  ['Command timed out', 'Redis did not answer in time'],
];

/** The reason of a failed command, for people. What Redis itself said stays as it is. */
export function redisReason({ message }: Pick<Error, 'message'>): string {
  const ofSentinels = NO_SENTINEL.exec(message);
  if (ofSentinels !== null) {
    const last = ofSentinels[1];
    return `no Sentinel names a master that answers${last === undefined ? '' : `: ${redisReason({ message: last })}`}`;
  }
  return WORDS.find(([beginning]) => message.startsWith(beginning))?.[1] ?? message;
}

/** ioredis reports this both when no Sentinel answers and when Sentinels answer but their master does not. */
const NO_SENTINEL =
  /^All sentinels are unreachable\. Retrying from scratch after \d+ms\.(?: Last error: (.+))?/s;
