// Benchmarks of the start of a server and of its memory.

import { dataDirOf, LARGE_ROWS, mixes, pathOf, SMALL_ROWS } from './benchSnapshots.ts';
import { type Figure, median, ofRounds } from './figure.ts';
import { loadOf, startOurs } from './measuredProcesses.ts';
import { label, ROUNDS, SIZES, warm } from './serving.ts';

/** Measures the time from the start of a server to the end of 400 first requests, and its memory after 500 more. */
export async function startAndMemory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const memory: number[] = [];
  for (const rows of SIZES) {
    const dataDir = await dataDirOf(rows);
    const [started, resident]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const startMs = performance.now();
      const server = await startOurs(dataDir);
      await warm(server);
      started?.push((performance.now() - startMs) / 1000);
      await loadOf({
        ...server.to,
        clients: 8,
        paths: mixes(500, 400).map((mix) => pathOf(mix)),
        requests: 500,
      });
      resident?.push(server.memoryBytes());
      await server.stop();
    }
    memory.push(median(resident));
    figures.push(
      {
        what: `start to first answer, ${label(rows)}`,
        unit: 's',
        ...ofRounds(started),
        better: 'lower',
        atMost: rows === SMALL_ROWS ? 2 : 10,
      },
      { what: `memory, ${label(rows)}`, unit: 'MB', value: median(resident) / 1e6, better: 'lower' },
    );
  }
  const [small = 0, large = 0] = memory;
  figures.push({
    what: 'memory a row between the two',
    unit: 'bytes',
    value: (large - small) / (LARGE_ROWS - SMALL_ROWS),
    better: 'lower',
    atMost: 120,
  });
  return figures;
}
