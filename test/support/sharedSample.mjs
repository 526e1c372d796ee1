// The sample of two published months that test runs share. Each build of the product has one of its own.
//
// A run notes which sample it uses in a file that is named after its process. A sample is removed when no process that
// runs has noted it, so that a run after an edit leaves those of other runs alone.

import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning, oneBuildAtATime } from '../../scripts/oneBuild.mjs';

/**
 * Gives the folder of a sample in `parent`, for as long as this process runs. Samples that no process uses are removed.
 *
 * @param digest Of what the sample is made from.
 * @param make Fills an empty folder, when the sample is not there.
 */
export function leaseSample(parent, digest, make) {
  return oneBuildAtATime(parent, () => {
    writeFileSync(path.join(parent, `lease-${process.pid}-${digest}`), '');
    removeUnused(parent);
    const sample = path.join(parent, `sample-${digest}`);
    if (existsSync(sample)) return sample;
    const made = mkdtempSync(path.join(os.tmpdir(), 'sample-'));
    make(made);
    // Renaming needs the same disk, and the temporary folder may be on another one.
    const beside = path.join(parent, 'making');
    cpSync(made, beside, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(made, { recursive: true });
    renameSync(beside, sample);
    return sample;
  });
}

/** Removes the samples without a lease, with what tests have made beside them, and the leases of processes that ended. */
function removeUnused(parent) {
  const remove = (name) => rmSync(path.join(parent, name), { recursive: true, force: true });
  // A process that was killed has left it.
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
