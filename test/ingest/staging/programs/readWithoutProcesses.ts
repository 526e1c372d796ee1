// Asks other processes for two files where none can start, because the program `node` is missing.
// Argument: the folder for their databases. Prints what came for each file: null.

import { ParallelReading } from '../../../../ingest/staging/parallelReading.ts';
import { NO_OPTIONS } from '../../../../ingest/staging/readingOptions.ts';

const [workDir = ''] = process.argv.slice(2);
process.execPath = '/nowhere/node';
const sources = ['ggr-1.csv', 'ggr-2.csv'].map((name) => ({
  name,
  path: name,
  dataset: 'ggr' as const,
  bytes: 1,
}));
const reading = new ParallelReading(sources, { options: NO_OPTIONS, known: null }, workDir, {
  processes: 2,
  isLarge: () => true,
});
for (const source of sources)
  process.stdout.write(`${JSON.stringify(await reading.takeStaged(source, () => {}))}\n`);
