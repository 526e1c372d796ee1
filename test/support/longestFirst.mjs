// Starts the test files that take longest first, so that all workers end at about the same time.
//
// TEST_ORDER=text gives a random order with that text as its seed: no test may depend on the files before it.

import { createHash } from 'node:crypto';
import TestSequencer from '@jest/test-sequencer';

/** Files that start processes or browsers. Jest sorts by size in its first run, which does not show that. */
const LONGEST = [
  'test/explorer/everybody.test.ts',
  'test/store/storeFaults.test.ts',
  'test/store/followStore.test.ts',
  'test/ingest/commands/publish/publish.test.ts',
  'test/ingest/guards/newYears.test.ts',
  'test/http/pages/browser.test.ts',
  'test/build.test.ts',
  'test/catalog/snapshots.test.ts',
  'test/http/pages/keyboard.test.ts',
  'test/store/killed.test.ts',
  'test/ingest/store/sharedStore.test.ts',
  'test/ingest/staging/plain/plainRows.test.ts',
  'test/main.test.ts',
  'test/http/api/export/export.test.ts',
  'test/ingest/sources/recipes/run.test.ts',
  'test/ingest/store/verify.test.ts',
  'test/http/pages/oidc.test.ts',
  'test/explorer/journeys.test.ts',
  'test/warmUp/warmUp.test.ts',
  'test/explorer/addresses.test.ts',
  'test/ingest/staging/asides.test.ts',
  'test/ingest/staging/numbers/numberFormats.test.ts',
  'test/docs/commands.test.ts',
  'test/ingest/staging/plain/plainSheets.test.ts',
  'test/explorer/troubles.test.ts',
  'test/ingest/report/page.test.ts',
  'test/ingest/commands/snapshots.test.ts',
  'test/ingest/commands/diff.test.ts',
  'test/ingest/checks/unbelievable.test.ts',
  'test/http/pages/admin.test.ts',
  'test/http/docs/pages.test.ts',
  'test/http/server/connections.test.ts',
  'test/ingest/store/killed.test.ts',
  'test/ingest/staging/database/packedRows.test.ts',
  'test/ingest/sources/readers/xlsx/found.test.ts',
  'test/store/copies.test.ts',
  'test/http/pages/team.test.ts',
  'test/contract/rulings-responses.test.ts',
  'test/access/cli.test.ts',
  'test/ingest/sources/readers/xlsx/reader.test.ts',
  'test/contract/8-limits.test.ts',
  'test/explorer/pruned.test.ts',
  'test/ingest/sources/readers/xlsx/people.test.ts',
  'test/ingest/checks/checks.test.ts',
  'test/explorer/files.test.ts',
  'test/ingest/sample/files.test.ts',
  'test/http/api/questions.test.ts',
  'test/ingest/commands/publish/largeMonth.test.ts',
  'test/http/soak.test.ts',
  'test/ingest/guards/corruptions.test.ts',
  'test/ingest/commands/cli.test.ts',
  'test/http/redis-away.test.ts',
  'test/ingest/checks/suspects.test.ts',
  'test/process/processes.test.ts',
  'test/catalog/snapshot.test.ts',
  'test/docs/operationsCommands.test.ts',
  'test/http/server/storm.test.ts',
  'test/contract/5-authentication.test.ts',
  'test/deploy/installed.test.ts',
  'test/ingest/sources/readers/open.test.ts',
  'test/access/redis/privateServer.test.ts',
  'test/http/pages/claim.test.ts',
  'test/ingest/guards/levels.test.ts',
  'test/http/probes.test.ts',
  'test/contract/10-questions.test.ts',
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
