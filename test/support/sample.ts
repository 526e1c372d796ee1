// Gives tests a data directory with both sample months published: `const { dataDir, remove } = await aSample()`.

import { aDataDir, type DataDir } from './snapshot.ts';

/**
 * A copy of the sample, with its sources. test/support/globalSetup.mjs has published it once. The caller removes the copy.
 */
export async function aSample(): Promise<DataDir> {
  const shared = process.env.SAMPLE_DATA_DIR;
  if (shared === undefined) throw new Error('SAMPLE_DATA_DIR is unset: run the tests through jest');
  return await aDataDir(shared);
}
