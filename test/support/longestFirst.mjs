// Orders the test files, so that all cores are busy until the end: those that take longest first, and among them, one at
// a time, those that mostly wait for a deadline, a restart or a reconnection.
//
// TEST_ORDER=text gives a random order with that text as its seed: no test may depend on the files before it.

import { createHash } from 'node:crypto';
import os from 'node:os';
import TestSequencer from '@jest/test-sequencer';

/** Files that mostly wait, with the seconds that they take. Several of them at once would leave a core idle. */
const WAITING = new Map([
  ['test/access/redis/watch.test.ts', 26],
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
  ['test/http/redis-away.test.ts', 6],
  ['test/access/redis/cluster.test.ts', 3],
  ['test/explorer/slowNetwork.test.ts', 2],
]);

/** Files that need the processor for long, with the seconds that they take on two cores beside others. */
const WORKING = new Map([
  ['test/long/guards.test.ts', 1700],
  ['test/long/fuzzing.test.ts', 1300],
  ['test/long/months.test.ts', 1100],
  ['test/long/mutants.test.ts', 1000],
  ['test/long/powerCut.test.ts', 900],
  ['test/explorer/everybody.test.ts', 36],
  ['test/http/pages/browser.test.ts', 29],
  ['test/ingest/commands/publish/publish.test.ts', 28],
  ['test/explorer/oddData.test.ts', 20],
  ['test/explorer/journeys.test.ts', 19],
  ['test/explorer/troubles.test.ts', 17],
  ['test/build.test.ts', 15],
  ['test/http/api/export/export.test.ts', 14],
  ['test/explorer/addresses.test.ts', 13],
  ['test/ingest/staging/plain/plainRows.test.ts', 11],
  ['test/http/pages/keyboard.test.ts', 11],
  ['test/ingest/sources/recipes/run.test.ts', 9],
  ['test/ingest/guards/newYears.test.ts', 9],
  ['test/ingest/report/page.test.ts', 8],
  ['test/ingest/commands/publish/anotherDataset.test.ts', 8],
  ['test/main.test.ts', 8],
  ['test/http/docs/pages.test.ts', 8],
  ['test/ingest/guards/guards.test.ts', 8],
  ['test/ingest/guards/bounds.test.ts', 8],
  ['test/http/server/connections.test.ts', 8],
  ['test/http/pages/team.test.ts', 8],
  ['test/ingest/guards/silentIndicators.test.ts', 7],
  ['test/store/copies.test.ts', 7],
  ['test/ingest/store/rollback.test.ts', 7],
  ['test/process/processes.test.ts', 7],
  ['test/http/pages/admin.test.ts', 6],
  ['test/ingest/checks/firstLoad/figureChecks.test.ts', 6],
  ['test/ingest/staging/reading.test.ts', 6],
  ['test/docs/commands.test.ts', 6],
  ['test/ingest/guards/silentContent.test.ts', 6],
  ['test/ingest/staging/database/packedRows.test.ts', 6],
  ['test/ingest/staging/plain/plainSheets.test.ts', 6],
  ['test/ingest/staging/misshown.test.ts', 6],
  ['test/ingest/sources/readers/xlsx/reader.test.ts', 6],
  ['test/ingest/checks/checks.test.ts', 6],
  ['test/explorer/pruned.test.ts', 6],
  ['test/ingest/checks/firstLoad/firstLoad.test.ts', 6],
  ['test/ingest/staging/asides.test.ts', 6],
  ['test/ingest/store/verify.test.ts', 6],
  ['test/ingest/staging/habits.test.ts', 6],
  ['test/ingest/staging/recipeSeen.test.ts', 6],
  ['test/ingest/store/killed.test.ts', 5],
  ['test/ingest/staging/options.test.ts', 5],
  ['test/ingest/commands/cli.test.ts', 5],
  ['test/ingest/staging/numbers/units.test.ts', 5],
  ['test/query/selection/select.test.ts', 5],
  ['test/http/soak.test.ts', 5],
  ['test/ingest/sources/readers/xlsx/found.test.ts', 5],
  ['test/ingest/checks/unbelievable.test.ts', 5],
  ['test/explorer/files.test.ts', 5],
  ['test/http/oddFolders.test.ts', 5],
  ['test/ingest/commands/snapshots.test.ts', 5],
  ['test/ingest/commands/publish/largeMonth.test.ts', 5],
  ['test/http/api/export/cutShort.test.ts', 5],
  ['test/catalog/snapshot.test.ts', 5],
  ['test/contract/rulings-responses.test.ts', 5],
  ['test/http/mcp/mcp.test.ts', 5],
  ['test/ingest/store/otherVersion.test.ts', 5],
  ['test/access/gate/gate.test.ts', 5],
  ['test/ingest/sample/files.test.ts', 5],
  ['test/ingest/sources/readers/parquet/reader.test.ts', 5],
  ['test/http/api/twins.test.ts', 5],
  ['test/docs/operationsCommands.test.ts', 5],
  ['test/ingest/commands/publish/earlierMonths/repeatedFiles.test.ts', 5],
  ['test/http/pages/claim.test.ts', 5],
]);

/** What one of the other files takes. */
const OTHER_SECONDS = 1.2;

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

/** Puts each of the waiting files where the one before it ends, while the other workers run the working ones. */
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
