// Finds the last release in the history of this repository: `lastRelease()?.commit`.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The commit that began the newest dated entry of the changelog, and the API's document there. Null without the whole
 * history, such as in an archive of the repository or a shallow clone.
 */
export function lastRelease(): { readonly commit: string; readonly document: string } | null {
  const [heading = ''] = /^## \d{4}-\d{2}-\d{2}$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const { stdout: shallow } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], {
    encoding: 'utf8',
  });
  if (shallow.trim() === 'true') return null;
  const log = ['log', '-1', '--format=%H', `-S${heading}`, '--', 'CHANGELOG.md'];
  const { status, stdout } = spawnSync('git', log, { encoding: 'utf8' });
  const commit = stdout.trim();
  if (status !== 0 || commit === '') return null;
  const document = execFileSync('git', ['show', `${commit}:docs/openapi.json`], { maxBuffer: 2 ** 28 });
  return { commit, document: document.toString() };
}
