// Makes a digest of the code that renders answers. It is part of every ETag, so that new code gives new ETags.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The version of the code that renders answers. It is the same on all servers with the same program.
 *
 * It covers all modules that the endpoints import, directly or indirectly, and the versions of the packages that these
 * modules import. So it also changes with code that does not affect bodies. Clients then fetch the same bodies once
 * more.
 */
export const renderingVersion = (): string =>
  (cachedVersion ??= versionOf(path.resolve(HERE, `../app${path.extname(fileURLToPath(import.meta.url))}`)));

let cachedVersion: string | undefined;

const HERE = path.dirname(fileURLToPath(import.meta.url));

/**
 * The digest of the code that renders the answers of an app.
 *
 * @param app the path of a module that imports the endpoints from the folder `api` beside it.
 */
export function versionOf(app: string): string {
  const { files, packages } = modulesOf(app);
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(`${path.relative(path.dirname(app), file)}\n`).update(readFileSync(file));
  const versions = packageVersions(app);
  for (const name of packages) hash.update(`\n${name} ${versions[name] ?? ''}`);
  return hash.digest('base64url').slice(0, 16);
}

/** The modules that the endpoints import, directly or indirectly, and the packages that these import; both sorted. */
export function modulesOf(app: string): { readonly files: string[]; readonly packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const queue = importsOf(app).filter((specifier) => specifier.startsWith('./api/'));
  const follow = (specifier: string, from: string) => {
    if (!specifier.startsWith('.')) {
      if (!specifier.startsWith('node:')) packages.add(packageOf(specifier));
      return;
    }
    const file = path.resolve(path.dirname(from), specifier);
    if (files.has(file) || !existsSync(file)) return;
    files.add(file);
    for (const imported of importsOf(file)) follow(imported, file);
  };
  for (const specifier of queue) follow(specifier, app);
  return { files: [...files].sort(), packages: [...packages].sort() };
}

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(IMPORT)].map(([, specifier = '']) => specifier);
}

/** Matches static and dynamic imports, and exports from another module. */
const IMPORT = /\b(?:from|import)\s*\(?\s*['"]([^'"\s]+)['"]/g;

/** The package of an import: `@scope/name` for `@scope/name/inside`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The exact versions in the nearest package.json above a file. */
function packageVersions(file: string): Readonly<Record<string, string>> {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8')).dependencies ?? {};
  }
  return {};
}
