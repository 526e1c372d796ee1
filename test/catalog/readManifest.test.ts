// A manifest is checked once, and again after its file has changed.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { readAnyManifest } from '../../src/catalog/readManifest.ts';
import { SnapshotRefused } from '../../src/catalog/snapshotRefused.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

const ID = '2026-11.1';

it('gives the same manifest until its file changes', async () => {
  const { dataDir, remove } = await aDataDir();
  try {
    await publishRows(dataDir, ID);
    const directory = path.join(dataDir, 'snapshots', ID);
    const file = path.join(directory, 'manifest.json');
    const manifest = await readAnyManifest(directory);
    expect(await readAnyManifest(directory)).toBe(manifest);
    const text = await readFile(file, 'utf8');
    const fingerprint = '0'.repeat(64);
    await writeFile(file, text.replace(manifest.fingerprint, fingerprint));
    expect((await readAnyManifest(directory)).fingerprint).toBe(fingerprint);
    await writeFile(file, 'damaged');
    await expect(readAnyManifest(directory)).rejects.toThrow(SnapshotRefused);
    await writeFile(file, text);
    expect(await readAnyManifest(directory)).toEqual(manifest);
  } finally {
    await remove();
  }
});
