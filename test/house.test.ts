import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Cruise {
  readonly modules: readonly { source: string; dependencies: readonly { resolved: string }[] }[];
  readonly summary: { violations: readonly { rule: { name: string }; from: string; to: string }[] };
}

const cruise = (...folders: string[]): Cruise =>
  JSON.parse(
    execFileSync(
      'npx',
      ['depcruise', '--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ),
  );

describe('the arrows between the rooms', () => {
  const { modules, summary } = cruise('src', 'ingest');

  it('all point one way', () => {
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  it('are all seen: types alone count too', () => {
    const month = modules.find(({ source }) => source === 'ingest/commands/publish.ts');
    const targets = month?.dependencies.map(({ resolved }) => resolved);
    expect(targets).toContain('src/catalog/datasets.ts');
    expect(targets).toContain('src/catalog/manifest.ts');
  });
});

const sources = ['src', 'ingest'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file)),
);

describe('every source file', () => {
  it.each(sources)('%s says in its first line what it is for', (file) => {
    expect(readFileSync(file, 'utf8').split('\n')[0]).toMatch(/^\/\/ \S.{10,}[.:]$/);
  });
});
