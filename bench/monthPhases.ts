// Publishes a month in this process and prints how many milliseconds each phase took, as JSON.

import { publishMonth } from '../ingest/commands/publish.ts';
import { readConfig } from '../src/config.ts';

const [directory = '', month = ''] = process.argv.slice(2);
const { dataDir, guards } = readConfig(process.env);
const phases: Record<string, number> = {};
let [phase, begun] = ['opening', performance.now()];
const next = (name: string) => {
  const now = performance.now();
  phases[phase] = (phases[phase] ?? 0) + now - begun;
  [phase, begun] = [name, now];
};
const result = await publishMonth(
  {
    ...{ dataDir, directory, month, guards },
    ...{ recipe: null, carry: [], dryRun: false, strict: false, accept: [], at: new Date() },
  },
  { phase: next, update: () => {}, end: () => {} },
);
next('');
process.stdout.write(JSON.stringify({ status: result.status, phases }));
