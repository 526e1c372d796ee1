// Starts the files that take longest first: one that began last would leave the other worker idle at the end.

import TestSequencer from '@jest/test-sequencer';

/** They start processes or browsers, which their size does not show; jest goes by size in its first run. */
const LONGEST = [
  'test/explorer/everybody.test.ts',
  'test/http/pages/browser.test.ts',
  'test/ingest/commands/publish.test.ts',
  'test/main.test.ts',
  'test/http/pages/keyboard.test.ts',
  'test/docs/commands.test.ts',
  'test/explorer/journeys.test.ts',
  'test/http/api/export.test.ts',
  'test/http/soak.test.ts',
  'test/store/followStore.test.ts',
  'test/explorer/addresses.test.ts',
  'test/build.test.ts',
  'test/ingest/report/page.test.ts',
  'test/explorer/troubles.test.ts',
  'test/contract/8-limits.test.ts',
  'test/two-servers.test.ts',
  'test/contract/rulings-responses.test.ts',
  'test/http/pages/claim.test.ts',
  'test/catalog/currentSnapshot.test.ts',
  'test/ingest/store/sharedStore.test.ts',
  'test/store/killed.test.ts',
  'test/explorer/pruned.test.ts',
  'test/processes.test.ts',
  'test/access/cli.test.ts',
  'test/ingest/store/killed.test.ts',
  'test/ingest/sources/recipes/run.test.ts',
  'test/ingest/commands/diff.test.ts',
  'test/http/docs/pages.test.ts',
  'test/ingest/guards/guards.test.ts',
  'test/ingest/guards/bounds.test.ts',
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONGEST.findIndex((file) => path.endsWith(`/${file}`));
      return at === -1 ? LONGEST.length : at;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
