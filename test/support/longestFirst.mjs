// Orders the test files, so that all cores are busy until the end. Files that take longest come first. Among them, one at a
// time, are the files that mostly wait for a deadline, a restart or a reconnection.
//
// TEST_ORDER=text gives a random order with that text as its seed, which finds tests that depend on the files before them.

import { createHash } from 'node:crypto';
import os from 'node:os';
import TestSequencer from '@jest/test-sequencer';

/** Files that mostly wait, with the seconds that they take. Several of them at once would leave a core idle. */
const WAITING = new Map([
  ['test/access/redis/watch.test.ts', 16],
  ['test/catalog/snapshots.test.ts', 21],
  ['test/ingest/store/sharedStore.test.ts', 18],
  ['test/access/redis/privateServer.test.ts', 15],
  ['test/store/followStore.test.ts', 13],
  ['test/store/storeFaults.test.ts', 12],
  ['test/store/objectStore.test.ts', 12],
  ['test/deploy/installed.test.ts', 11],
  ['test/http/pages/oidc.test.ts', 9],
  ['test/contract/8-limits.test.ts', 9],
  ['test/access/cli.test.ts', 8],
  ['test/clients/typescript.test.ts', 7],
  ['test/http/probes.test.ts', 6],
  ['test/ingest/commands/watch.test.ts', 6],
  ['test/http/redisAway.test.ts', 6],
  ['test/access/redis/cluster.test.ts', 3],
  ['test/explorer/slowNetwork.test.ts', 2],
]);

/**
 * Files with long computations, with the seconds that they take on two cores beside others. They come first. All other
 * files have the order of jest: by their time in the last run, and in a fresh checkout by size.
 */
const WORKING = new Map([
  ['test/long/guards.test.ts', 1700],
  ['test/long/fuzzing.test.ts', 1300],
  ['test/long/months.test.ts', 1100],
  ['test/long/mutants.test.ts', 1000],
  ['test/long/powerCut.test.ts', 900],
  ['test/explorer/everybody.test.ts', 36],
  ['test/http/pages/browser.test.ts', 29],
  ['test/ingest/commands/publish/publishMonth.test.ts', 28],
  ['test/explorer/oddData.test.ts', 20],
  ['test/explorer/journeys.test.ts', 19],
  ['test/explorer/troubles.test.ts', 17],
  ['test/build.test.ts', 15],
]);

/** The average time of all other files. */
const OTHER_SECONDS = 1.5;

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const order = process.env.TEST_ORDER;
    if (order) {
      const drawn = ({ path }) => createHash('sha256').update(`${order} ${path}`).digest('hex');
      return [...tests].sort((a, b) => (drawn(a) < drawn(b) ? -1 : 1));
    }
    const secondsOf = (test) => WORKING.get(nameOf(test)) ?? 0;
    const waiting = [...WAITING.keys()].flatMap((name) => tests.filter((test) => nameOf(test) === name));
    const working = super.sort(tests.filter((test) => !waiting.includes(test)));
    return spread(
      waiting,
      working.sort((a, b) => secondsOf(b) - secondsOf(a)),
    );
  }
}

/** The path of a test file below the root of the repository. */
const nameOf = ({ path, context }) => path.slice(context.config.rootDir.length + 1);

/** Distributes the waiting files among the working ones, so that each begins when the waiting file before it ends. */
function spread(waiting, working) {
  const others = os.availableParallelism() + 2;
  const rest = [...waiting];
  const all = [];
  let [waitingSeconds, workingSeconds] = [0, 0];
  for (const test of working) {
    while (rest.length > 0 && waitingSeconds <= workingSeconds / others) {
      const next = rest.shift();
      waitingSeconds += WAITING.get(nameOf(next));
      all.push(next);
    }
    all.push(test);
    workingSeconds += WORKING.get(nameOf(test)) ?? OTHER_SECONDS;
  }
  return [...all, ...rest];
}
