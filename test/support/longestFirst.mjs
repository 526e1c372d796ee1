// Starts the test files that take longest first, so that all workers end at about the same time.
//
// TEST_ORDER=text gives a random order with that text as its seed: no test may depend on the files before it.

import { createHash } from 'node:crypto';
import TestSequencer from '@jest/test-sequencer';

/** Files that start processes or browsers. Jest sorts by size in its first run, which does not show that. */
const LONGEST = [
  'test/long/guards.test.ts',
  'test/long/fuzzing.test.ts',
  'test/long/months.test.ts',
  'test/long/mutants.test.ts',
  'test/long/powerCut.test.ts',
  'test/access/redis/watch.test.ts',
  'test/ingest/commands/publish/publish.test.ts',
  'test/explorer/everybody.test.ts',
  'test/http/pages/browser.test.ts',
  'test/catalog/snapshots.test.ts',
  'test/explorer/journeys.test.ts',
  'test/explorer/troubles.test.ts',
  'test/build.test.ts',
  'test/store/followStore.test.ts',
  'test/ingest/store/sharedStore.test.ts',
  'test/store/storeFaults.test.ts',
  'test/http/api/export/export.test.ts',
  'test/http/pages/keyboard.test.ts',
  'test/explorer/addresses.test.ts',
  'test/explorer/oddData.test.ts',
  'test/access/redis/privateServer.test.ts',
  'test/ingest/sources/recipes/run.test.ts',
  'test/http/pages/oidc.test.ts',
  'test/docs/commands.test.ts',
  'test/ingest/staging/plain/plainRows.test.ts',
  'test/ingest/guards/silentContent.test.ts',
  'test/main.test.ts',
  'test/http/server/connections.test.ts',
  'test/ingest/staging/plain/plainSheets.test.ts',
  'test/ingest/commands/snapshots.test.ts',
  'test/access/cli.test.ts',
  'test/ingest/guards/newYearMarkets.test.ts',
  'test/http/pages/team.test.ts',
  'test/ingest/commands/publish/savedAgain.test.ts',
  'test/clients/typescript.test.ts',
  'test/http/api/export/cutShort.test.ts',
  'test/contract/8-limits.test.ts',
  'test/ingest/report/page.test.ts',
  'test/http/docs/pages.test.ts',
  'test/ingest/guards/newYearRelations.test.ts',
  'test/ingest/staging/asides.test.ts',
  'test/ingest/guards/newYears.test.ts',
  'test/warmUp/warmUp.test.ts',
  'test/store/copies.test.ts',
  'test/ingest/store/verify.test.ts',
  'test/explorer/pruned.test.ts',
  'test/http/redis-away.test.ts',
  'test/store/killed.test.ts',
  'test/http/api/questions.test.ts',
  'test/http/pages/admin.test.ts',
  'test/store/objectStore.test.ts',
  'test/explorer/files.test.ts',
  'test/ingest/commands/cli.test.ts',
  'test/ingest/checks/unbelievable.test.ts',
  'test/process/processes.test.ts',
  'test/ingest/commands/publish/repeatedFiles.test.ts',
  'test/ingest/guards/silentDrift.test.ts',
  'test/ingest/staging/numbers/numberFormats.test.ts',
  'test/ingest/commands/diff.test.ts',
  'test/http/api/explain.test.ts',
  'test/ingest/staging/database/packedRows.test.ts',
  'test/access/gate/gate.test.ts',
  'test/ingest/store/killed.test.ts',
  'test/deploy/installed.test.ts',
  'test/ingest/commands/publish/olderRows.test.ts',
  'test/http/soak.test.ts',
  'test/http/server/storm.test.ts',
  'test/ingest/mutants/mutants.test.ts',
  'test/ingest/commands/publish/fewFiles.test.ts',
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const order = process.env.TEST_ORDER;
    if (order) {
      const drawn = ({ path }) => createHash('sha256').update(`${order} ${path}`).digest('hex');
      return [...tests].sort((a, b) => (drawn(a) < drawn(b) ? -1 : 1));
    }
    const rank = ({ path }) => {
      const at = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
      return at === -1 ? LONGEST.length : at;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
