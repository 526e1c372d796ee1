// Orders the test files, so that all cores are busy until the end. The longest computations come first. Among the others,
// one at a time, are the files that mostly wait for a deadline, a restart or a reconnection, and the files that use Chromium,
// because several of them at once wait for the one Chromium that all of them share.
//
// TEST_ORDER=text gives a random order with that text as its seed, which finds tests that depend on the files before them.

import { createHash } from 'node:crypto';
import os from 'node:os';
import TestSequencer from '@jest/test-sequencer';

/** Files that mostly wait, with the seconds that they take. Several of them at once would leave a core idle. */
const WAITING = new Map([
  ['test/access/redis/privateServer.test.ts', 14],
  ['test/access/redis/watchRedis.test.ts', 12],
  ['test/store/objectStore.test.ts', 8],
  ['test/http/pages/oidc.test.ts', 4],
  ['test/store/followStore.test.ts', 10],
  ['test/store/storeFaults.test.ts', 10],
  ['test/contract/8-limits.test.ts', 4],
  ['test/access/cli.test.ts', 6],
  ['test/clients/typescript.test.ts', 7],
  ['test/http/probes.test.ts', 6],
  ['test/ingest/commands/watch.test.ts', 6],
  ['test/http/redisAway.test.ts', 5],
  ['test/explorer/slowNetwork.test.ts', 3],
  ['test/access/redis/cluster.test.ts', 2],
]);

/** Files that use Chromium, with the seconds that they take while no other one does. */
const BROWSING = new Map([
  ['test/explorer/everybody.test.ts', 12],
  ['test/http/pages/browser.test.ts', 10],
  ['test/explorer/oddData.test.ts', 18],
  ['test/explorer/journeys.test.ts', 12],
  ['test/explorer/problems.test.ts', 6],
  ['test/explorer/pruned.test.ts', 6],
  ['test/explorer/savedFiles.test.ts', 6],
  ['test/explorer/unusualAddresses.test.ts', 6],
  ['test/explorer/ambiguity.test.ts', 5],
  ['test/ingest/report/page.test.ts', 8],
  ['test/http/docs/pages.test.ts', 3],
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
  ['test/ingest/commands/publish/publishMonth.test.ts', 24],
  ['test/build.test.ts', 15],
]);

/** The average time of all other files, for those that jest has not timed yet. */
const OTHER_SECONDS = 1.5;

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const order = process.env.TEST_ORDER;
    if (order) {
      const drawn = ({ path }) => createHash('sha256').update(`${order} ${path}`).digest('hex');
      return [...tests].sort((a, b) => (drawn(a) < drawn(b) ? -1 : 1));
    }
    const inLane = (test) => WAITING.has(nameOf(test)) || BROWSING.has(nameOf(test));
    const working = super.sort(tests.filter((test) => !inLane(test)));
    working.sort((a, b) => (WORKING.get(nameOf(b)) ?? 0) - (WORKING.get(nameOf(a)) ?? 0));
    const laneOf = (lane) =>
      [...lane.keys()].flatMap((name) => tests.filter((test) => nameOf(test) === name));
    const workers = 3 + os.availableParallelism();
    const beforeWaiting = spread(laneOf(BROWSING), working, workers - 2);
    return spread(laneOf(WAITING), beforeWaiting, workers - 1);
  }
}

/** The path of a test file below the root of the repository. */
const nameOf = ({ path, context }) => path.slice(context.config.rootDir.length + 1);

const secondsOf = (test) =>
  [WAITING, BROWSING, WORKING]
    .map((lane) => lane.get(nameOf(test)))
    .find((seconds) => seconds !== undefined) ??
  (test.duration === undefined ? OTHER_SECONDS : test.duration / 1000);

/**
 * Distributes the files of a lane among others, so that each begins when the one before it ends.
 *
 * @param workers The number of workers that run the others meanwhile.
 */
function spread(lane, others, workers) {
  // The long tests take longer than all other files together, so none of these may delay them.
  const long = others.filter((test) => nameOf(test).startsWith('test/long/'));
  const rest = [...lane];
  const all = [...long];
  let [laneSeconds, otherSeconds] = [0, 0];
  for (const test of others) {
    if (long.includes(test)) continue;
    while (rest.length > 0 && laneSeconds <= otherSeconds / workers) {
      const next = rest.shift();
      laneSeconds += secondsOf(next);
      all.push(next);
    }
    all.push(test);
    otherSeconds += secondsOf(test);
  }
  return [...all, ...rest];
}
