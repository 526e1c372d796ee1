// docs/architecture.md follows the code: every station is there, and each walk passes them by imports.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { orElse } from '../support/orElse.ts';

const PAGE = readFileSync('docs/architecture.md', 'utf8');

const sections = PAGE.split(/^## /m).slice(1);

/** The files that the first column of a section's table names. Paths that end in a slash are rooms and are left out. */
const stationsOf = (section: string) =>
  [...section.matchAll(/^\| `((?:src|ingest)\/[^`]+[^/`])` \|/gm)].map(([, file = '']) => file);

const walks = sections
  .map((section) => [section.split('\n')[0] ?? '', stationsOf(section)] as const)
  .filter(([, stations]) => stations.length > 0);

/** Every file that `root` imports directly or indirectly, including imports of types. */
function reachableFrom(root: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const follow = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      follow(path.join(path.dirname(file), specifier));
  };
  follow(root);
  return reached;
}

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g;

describe('docs/architecture.md', () => {
  it('has three walks', () => {
    expect(walks.map(([title]) => title.split(':')[0])).toEqual(['A filter value', 'A key', 'A cell']);
  });

  it('has a line for every room', () => {
    const rooms = [...PAGE.matchAll(/^\| `([\w/]+)\/` \|/gm)].map(([, room = '']) => room);
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const expected = ['bench', 'ingest', 'test', ...folders.map(({ name }) => `src/${name}`)];
    orElse('say in the table of rooms of docs/architecture.md what the folder holds', () =>
      expect(rooms.sort()).toEqual(expected.sort()),
    );
  });

  it('names definitions that are in their files', () => {
    const named = [...PAGE.matchAll(/`(\w+)`(?: and `(\w+)`)? of `((?:src|ingest)\/[\w./-]+\.ts)`/g)];
    const wrong = named.flatMap(([, one = '', other, file = '']) => {
      const text = readFileSync(file, 'utf8');
      return [one, other ?? one].filter(
        (name) => !text.match(`(?:class|const|function|interface|type) ${name}\\b`),
      );
    });
    expect(named.length).toBeGreaterThan(1);
    orElse('correct the name or the file in docs/architecture.md', () => expect(wrong).toEqual([]));
  });

  const server = reachableFrom('src/main.ts');
  const ingest = reachableFrom('ingest/cli.ts');
  it.each(walks)('%s: the program passes every station', (_, stations) => {
    const missed = stations.filter((file) => file.endsWith('.ts') && !server.has(file) && !ingest.has(file));
    orElse(
      'take the station out of the walk in docs/architecture.md: the program does not load the file any more',
      () => expect(missed).toEqual([]),
    );
  });
});
