// Starts the files that take longest first: one that began last would leave the other worker idle at the end.

import TestSequencer from '@jest/test-sequencer';

/** They start processes or browsers, which their size does not show; jest goes by size in its first run. */
const LONGEST = [
  'test/main.test.ts',
  'test/docs/commands.test.ts',
  'test/processes.test.ts',
  'test/ingest/commands/publish.test.ts',
  'test/ingest/sources/recipes/run.test.ts',
  'test/explorer/journeys.test.ts',
  'test/http/pages/browser.test.ts',
  'test/build.test.ts',
  'test/ingest/staging/reading.test.ts',
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
