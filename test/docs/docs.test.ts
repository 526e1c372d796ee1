// The documentation agrees with the code: everything that it generates, cites, quotes or links exists.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { datasetsPage } from '../../docs/datasets.ts';
import { findingsPage } from '../../docs/findings.ts';
import { manifestSchema } from '../../src/catalog/manifest.ts';
import { orElse, UPDATE_DOCS } from '../support/orElse.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => path.join(folder, file));

const PAGES = filesBelow('docs', '.md');

/** The READMEs of folders. */
const NOTES = [
  'data/README.md',
  'test/README.md',
  'test/support/README.md',
  'clients/python/README.md',
  'clients/typescript/README.md',
  ...filesBelow('ingest', '.md'),
];
const CODE = ['src', 'ingest', 'test', 'docs', 'bench', 'clients/typescript/src'].flatMap((folder) =>
  filesBelow(folder, '.ts'),
);

describe('every document', () => {
  it('says in its first sentence whom it is for', () => {
    const first = (file: string) =>
      read(file)
        .split('\n')
        .find((line) => line !== '' && !line.startsWith('#'));
    const silent = [...PAGES, ...NOTES].filter((file) => !first(file)?.startsWith('For '));
    orElse('begin the page below its title with `For …: what it tells them`', () =>
      expect(silent).toEqual([]),
    );
  });

  it.each(['README.md', ...PAGES, ...NOTES])('%s names files that are there', (page) => {
    const named = [...read(page).matchAll(FILE)].map(([, file = '']) => file);
    const isThere = (file: string) =>
      [ROOT, path.join(ROOT, path.dirname(page))].some((folder) => existsSync(path.join(folder, file)));
    const gone = named.filter((file) => !IS_MADE.test(file) && !isThere(file));
    orElse(`name the file in ${page} by its present path`, () => expect(gone).toEqual([]));
  });

  it.each([...PAGES, ...NOTES])('%s names no source file that is gone', (page) => {
    const named = [...read(page).matchAll(SOURCE_FILE)].map(([, file = '']) => file);
    const gone = named.filter((file) => !CODE.some((known) => known.endsWith(`/${file}`)));
    orElse(`name the file in ${page} by its present name`, () => expect(gone).toEqual([]));
  });
});

/** A path of this repository, in any text. */
const FILE = /(?<![\w/.-])((?:src|ingest|test|docs|bench|scripts|deploy|clients)\/[\w./-]*\w)/g;

/** The name of a source file, after its folders or alone. */
const SOURCE_FILE = /`(?:[\w.-]+\/)*([\w-]+\.ts)`/g;

/** Files that programs write and git ignores. */
const IS_MADE = /\bdist\b|^bench\/report\./;

describe('test/support', () => {
  const files = readdirSync(path.join(ROOT, 'test/support')).filter((file) => file !== 'README.md');

  it('has a README that names each file once', () => {
    const named = [...read('test/support/README.md').matchAll(/^\| (`.*?`) \|/gm)]
      .flatMap(([, cell = '']) => cell.split(', '))
      .map((name) => name.replaceAll('`', '').replace(/\/$/, ''));
    expect(named.sort()).toEqual(files.sort());
  });
});

describe('docs/datasets.md', () => {
  it('is what the table of datasets generates', () => {
    if (process.env.UPDATE_DOCS === '1') writeFileSync(path.join(ROOT, 'docs/datasets.md'), datasetsPage());
    orElse(UPDATE_DOCS, () => expect(read('docs/datasets.md')).toBe(datasetsPage()));
  });
});

describe('docs/findings.md', () => {
  it('has one entry for findings of the same name and text', () => {
    for (const section of read('docs/findings.md').split('\n## ').slice(1)) {
      const entries = [...section.matchAll(/^\| (.+ \| .*) \| .* \|$/gm)].map(([, entry]) => entry);
      expect(entries).toEqual([...new Set(entries)]);
    }
  });

  it('is what the findings in the code generate', () => {
    if (process.env.UPDATE_DOCS === '1') writeFileSync(path.join(ROOT, 'docs/findings.md'), findingsPage());
    orElse(UPDATE_DOCS, () => expect(read('docs/findings.md')).toBe(findingsPage()));
  });
});

describe('citations', () => {
  const texts = [...CODE, ...PAGES].map((file) => [file, read(file)] as const);
  const cited = (pattern: RegExp) =>
    texts.flatMap(([file, text]) => [...text.matchAll(pattern)].map((match) => ({ file, match })));

  it('of a ruling lead to docs/decisions.md', () => {
    const rulings = new Set(
      [...read('docs/decisions.md').matchAll(/^(\d+)\. \*\*/gm)].map(([, n]) => Number(n)),
    );
    expect([...rulings]).toEqual(Array.from({ length: 27 }, (_, i) => i + 1));
    const numbers = cited(/\brulings? (\d+(?:(?:, | and | to | or |–|-)\d+)*)/gi).flatMap(
      ({ file, match }) =>
        (match[1] ?? '').match(/\d+/g)?.map((number) => ({ file, number: Number(number) })) ?? [],
    );
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(({ number }) => !rulings.has(number))).toEqual([]);
  });

  it('of the contract lead to its sections and rules', () => {
    const sections = rulesBySection(read('docs/contract.md'));
    // In code, a bare § may be that of another standard. On our pages it is the contract's.
    const found = cited(/(contract )?§(\d+(?:\.\d+)?)(?: rules? (\d+))?/gi).filter(
      ({ file, match: [, named] }) => named !== undefined || file.endsWith('.md'),
    );
    expect(found.length).toBeGreaterThan(20);
    const lost = found.filter(({ match: [, , section = '', rule] }) => {
      const rules = sections.get(section);
      return rules === undefined || (rule !== undefined && !rules.has(Number(rule)));
    });
    expect(lost.map(({ file, match: [text] }) => `${file}: ${text}`)).toEqual([]);
  });
});

describe('docs/snapshots.md', () => {
  it('names every field of a manifest and no other', () => {
    const [, table = ''] = read('docs/snapshots.md').split('## manifest.json');
    const named = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` +\|/gm)].map(
      ([, field]) => field ?? '',
    );
    const { sources, recipe, reading, accepted, datasets } = manifestSchema.shape;
    const below = (name: string, shape: object) => Object.keys(shape).map((key) => `${name}${key}`);
    const fields = [
      ...Object.keys(manifestSchema.shape),
      ...below('sources[].', sources.element.shape),
      ...below('recipe.', recipe.unwrap().shape),
      ...below('reading[].', reading.unwrap().element.shape),
      ...below('accepted[].', accepted.element.shape),
      ...below('datasets.*.', datasets.shape.ggr.shape),
    ];
    orElse('describe the field in the table of manifest.json in docs/snapshots.md', () =>
      expect([...named].sort()).toEqual(fields.sort()),
    );
  });
});

describe('links', () => {
  const anchorsOf = (page: string) =>
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  it.each(['README.md', ...PAGES, ...NOTES])('in %s lead somewhere', (page) => {
    const lost = [...read(page).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
      ([, file = '', anchor]) => {
        if (/^https?:/.test(file)) return false;
        const target = file === '' ? page : path.join(path.dirname(page), file);
        if (!existsSync(path.join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      },
    );
    expect(lost.map(([text]) => text)).toEqual([]);
  });
});

/** The numbered rules under each numbered heading: `4.1` → {1, 2, …}. */
function rulesBySection(text: string): ReadonlyMap<string, ReadonlySet<number>> {
  const sections = new Map<string, Set<number>>();
  let rules = new Set<number>();
  for (const line of text.split('\n')) {
    const heading = /^#+ (\d+(?:\.\d+)?)\.? /.exec(line)?.[1];
    if (heading !== undefined) {
      rules = new Set();
      sections.set(heading, rules);
    }
    const rule = /^(\d+)\. /.exec(line)?.[1];
    if (rule !== undefined) rules.add(Number(rule));
  }
  return sections;
}
