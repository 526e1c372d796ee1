// Turns console warnings of libraries into events, because each line of the log is a JSON document.

import type { Observe } from '../observations.ts';

/** Reports every later `console.warn` of this process. ioredis calls it. */
export function observeLibraries(observe: Observe): void {
  console.warn = (...words: unknown[]) =>
    observe({ event: 'library warned', warning: withOurAdvice(words.join(' ')) });
}

/** ioredis advises to change the program when Redis refuses INFO. Operators get other advice in its place. */
const withOurAdvice = (warning: string): string =>
  /INFO command fails: "NOPERM/.test(warning) ? NO_INFO : warning;

const NO_INFO =
  'the user of REDIS_URL may not run INFO, so nothing is said of a Redis that is loading its data, evicts or is too old: give the user the right +info';
