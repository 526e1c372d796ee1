// Gives tests a data directory with both sample months published: `const { dataDir, remove } = await aSample()`.

import { cp } from 'node:fs/promises';
import { aDataDir } from './snapshot.ts';

/**
 * A copy of the sample, with its sources. test/support/globalSetup.mjs has published it once. The caller removes the copy.
 */
export async function aSample(): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const shared = process.env.SAMPLE_DATA_DIR;
  if (shared === undefined) throw new Error('SAMPLE_DATA_DIR is unset: run the tests through jest');
  const made = await aDataDir();
  await cp(shared, made.dataDir, { recursive: true, verbatimSymlinks: true });
  return made;
}
