// Exits with 0 when node_modules has exactly what package-lock.json names, as after `npm ci`; else with 1.
// `make` installs nothing after exit code 0.

import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The fields of package.json from which npm makes package-lock.json. */
const DEPENDENCIES = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
];

function isInstalled() {
  const { '': root, ...locked } = json('package-lock.json').packages;
  const wanted = json('package.json');
  // package-lock.json does not record overrides. So with overrides in package.json, the two differ, and npm installs.
  if (DEPENDENCIES.some((field) => !isDeepStrictEqual(wanted[field], root[field]))) return false;
  // npm writes this file when it has installed everything.
  const installed = json('node_modules/.package-lock.json').packages;
  const needed = new Set(
    Object.values(installed).flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    ),
  );
  const mayLack = ([folder, entry]) =>
    entry.optional === true && (isForAnother(entry) || !needed.has(folder.split('node_modules/').at(-1)));
  return (
    Object.keys(installed).every((folder) => folder in locked) &&
    Object.entries(locked).every(([folder, entry]) =>
      folder in installed
        ? isDeepStrictEqual(installed[folder], entry) && hasVersion(folder, entry.version)
        : mayLack([folder, entry]),
    )
  );
}

/** Whether a package is for another system, processor or C library than those of this machine. */
function isForAnother({ os = [], cpu = [], libc = [] }) {
  const ours = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return [
    [os, process.platform],
    [cpu, process.arch],
    [process.platform === 'linux' ? libc : [], ours],
  ].some(([allowed, own]) => allowed.length > 0 && !allowed.includes(own));
}

/** Whether the folder has this version of its package. Somebody may have removed or replaced the folder since. */
const hasVersion = (folder, version) =>
  existsSync(`${folder}/package.json`) && json(`${folder}/package.json`).version === version;

try {
  process.exit(isInstalled() ? 0 : 1);
} catch {
  // A file is missing or damaged, so npm has to install.
  process.exit(1);
}
