// The sample of two published months that test runs share. Each build of the product has its own sample.
//
// A run records that it uses a sample in a lease: a file that is named after its process and the sample. A sample is
// removed when no running process has a lease on it. So a run of an edited product does not remove a sample that is still
// in use.

import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning, oneBuildAtATime } from '../../scripts/oneBuild.mjs';

/**
 * Returns the folder of a sample in `parent`, which stays as long as this process runs. Samples that no process uses are
 * removed.
 *
 * @param digest The digest of the program that makes the sample.
 * @param make Fills an empty folder with the sample. It is called when the sample does not exist.
 */
export function leaseSample(parent, digest, make) {
  return oneBuildAtATime(parent, () => {
    writeFileSync(path.join(parent, `lease-${process.pid}-${digest}`), '');
    removeUnused(parent);
    const sample = path.join(parent, `sample-${digest}`);
    if (existsSync(sample)) return sample;
    const made = mkdtempSync(path.join(os.tmpdir(), 'sample-'));
    make(made);
    // The sample is copied first, because renaming needs the same disk, and the temporary folder may be on another one.
    const beside = path.join(parent, 'making');
    cpSync(made, beside, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(made, { recursive: true });
    renameSync(beside, sample);
    return sample;
  });
}

/**
 * Removes the samples without a lease, the shared data that tests made beside them, and the leases of processes that ended.
 */
function removeUnused(parent) {
  const remove = (name) => rmSync(path.join(parent, name), { recursive: true, force: true });
  // A killed process may have left this folder.
  remove('making');
  const used = new Set();
  const names = readdirSync(parent);
  for (const name of names) {
    const [, pid, digest] = /^lease-(\d+)-(.*)$/.exec(name) ?? [];
    if (pid === undefined) continue;
    if (isRunning(Number(pid))) used.add(digest);
    else remove(name);
  }
  for (const name of names) {
    const digest = /^sample-(.*?)(-shared)?$/.exec(name)?.[1];
    if (digest !== undefined && !used.has(digest)) remove(name);
  }
}
