// The rules of this project for its own files: imports, first lines, words, lock files.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { itInDepth } from './support/depth.ts';
import { orElse } from './support/orElse.ts';

interface Cruise {
  readonly modules: readonly { source: string; dependencies: readonly { resolved: string }[] }[];
}

/**
 * The files that a file imports, by the program and the settings of `npm run arrows`.
 */
function importsOf(file: string): readonly string[] {
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', '--max-depth', '1', file];
  const written = execFileSync(process.execPath, ['node_modules/.bin/depcruise', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { modules }: Cruise = JSON.parse(written);
  return modules.find(({ source }) => source === file)?.dependencies.map(({ resolved }) => resolved) ?? [];
}

describe('the arrows between the rooms', () => {
  // Only in depth, because the process takes a second, and `make test` checks the imports anyway, while the tests run.
  itInDepth('include imports of types', () => {
    const targets = importsOf('ingest/commands/publish/monthSources.ts');
    expect(targets).toContain('src/catalog/datasets.ts');
    expect(targets).toContain('src/catalog/manifest.ts');
  });

  it('are checked by make test, beside the tests', () => {
    const makefile = readFileSync('Makefile', 'utf8');
    expect(makefile).toMatch(/^test:.*\n(?:\t.*\n)*\t.*\$\(MAKE\) --no-print-directory check\)? >/m);
    expect(makefile).toMatch(/^check:.*\n(?:\t.*\n)*\t@npm run --silent arrows$/m);
  });
});

const programsIn = (...folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|[mc]js|lua|sql)$/.test(file))
      .map((file) => path.join(folder, file)),
  );

const filesIn = (...folders: readonly string[]) =>
  programsIn(...folders).filter((file) => /\.tsx?$/.test(file));

const sources = filesIn('src', 'ingest');

describe('every source file', () => {
  it('imports no values of DuckDB but through src/duckdb.ts, which loads it without parsing it twice', () => {
    const importing = sources.filter((file) =>
      /^import (?!type).*from '@duckdb\/node-api'|^\} from '@duckdb\/node-api'/m.test(
        readFileSync(file, 'utf8'),
      ),
    );
    orElse('import it from src/duckdb.ts', () => expect(importing).toEqual([]));
  });

  it('says in its first line what it is for, as every test and benchmark does', () => {
    const silent = [...sources, ...filesIn('test', 'bench')].filter(
      (file) => !/^\/\/ \S.{10,}[.:]$/.test(readFileSync(file, 'utf8').split('\n')[0] ?? ''),
    );
    orElse(
      'begin the file with a line such as // Writes a page as CSV. It ends in a full stop or a colon',
      () => expect(silent).toEqual([]),
    );
  });
});

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g;
/** Names of code in backticks: `readHistory`, `HISTORY_FILE`, `LruCache.get`, `handler.ts`. */
const NAMED = /`([A-Za-z_$#.]+)(?:\(\))?`/g;
const LIKE_CODE = /^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w+|[A-Z][A-Z\d]*_[A-Z\d_]+|[A-Z]{4,})$/;

describe('comments', () => {
  it('name only identifiers and files that exist', () => {
    const texts = programsIn('src', 'ingest', 'test', 'bench', 'scripts', 'clients/typescript/src').map(
      (file) => ({ file, text: readFileSync(file, 'utf8') }),
    );
    const known = new Set(
      texts.flatMap(({ file, text }) => `${file} ${text.replace(COMMENT, '')}`.match(/\w+/g) ?? []),
    );
    const unknown = texts.flatMap(({ file, text }) =>
      (text.match(COMMENT) ?? [])
        .flatMap((comment) => [...comment.matchAll(NAMED)].flatMap(([, name = '']) => name.split(/[.#$]/)))
        .filter((name) => LIKE_CODE.test(name) && !known.has(name))
        .map((name) => `${file}: ${name}`),
    );
    orElse('call what a comment means by its present name', () => expect(unknown).toEqual([]));
  });
});

describe('the programs that tests run as texts', () => {
  // The compiler does not see inside a text, so a renamed file would break a program that few runs start.
  it('are made of compiled modules that exist', () => {
    const gone = filesIn('test', 'bench').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(COMPILED_MODULE)].flatMap(([, module = '']) =>
        existsSync(`${module}.ts`) ? [] : [`${file}: ${module}.js`],
      ),
    );
    orElse('name the module by its present file', () => expect(gone).toEqual([]));
  });
});

const COMPILED_MODULE = /\b(?:resolve|compiledScript|inDist)\('(?:dist\/)?((?:src|ingest)\/[\w/-]+)\.js'/g;

/** Words that names in a room must not contain, each with the field's word for it. */
const BANNED: readonly { readonly room: RegExp; readonly words: readonly string[]; readonly say: string }[] =
  [
    {
      room: /^src\/(cache|query|http)\//,
      words: ['kept', 'keep', 'keeps'],
      say: 'LRU cache, evict, capacity',
    },
    { room: /^src\/(cache|query|http)\//, words: ['share', 'shared'], say: 'single flight' },
    {
      room: /^src\/(cache|query|http)\//,
      words: ['slots', 'enter', 'leave'],
      say: 'semaphore, acquire, release',
    },
    { room: /^src\/(cache|query|http)\//, words: ['ahead'], say: 'prefetch' },
    { room: /^src\/(cache|http\/api)\//, words: ['answers', 'ready'], say: 'response cache' },
    {
      room: /^src\/(cache|catalog|query|http)\//,
      words: ['hold', 'held', 'holdable', 'loan', 'owe', 'owed', 'settle', 'settled'],
      say: 'lease, reference count',
    },
    { room: /^src\/catalog\//, words: ['opened'], say: 'snapshot pool' },
    { room: /^src\/(http|access)\//, words: ['decision', 'decide'], say: 'verdict' },
    { room: /^src\/access\//, words: ['layout'], say: 'Redis keys' },
    { room: /^src\/access\//, words: ['turns'], say: 'map concurrently' },
    { room: /^src\/access\//, words: ['alone'], say: 'private Redis server, start lock' },
    { room: /^ingest\//, words: ['contained', 'alone', 'child'], say: 'sandbox, worker process, exclusive' },
    { room: /^ingest\//, words: ['essence'], say: 'summary' },
    { room: /^src\/http\/api\//, words: ['place', 'places'], say: 'permit' },
    {
      room: /^(ingest|src\/access)\//,
      words: ['care', 'looking'],
      say: "maintenance, or the command's own name",
    },
    { room: /^src\//, words: ['leading'], say: 'row order, sort key' },
    { room: /^src\/query\//, words: ['place'], say: 'cursor position' },
  ];

/** The words of a name, in lower case: `holdsSpace` gives `holds` and `space`. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

const exportedNames = (file: string) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^export (?:abstract |async )*(?:const|function\*?|class|interface|type|enum) (\w+)/gm,
    ),
  ].map(([, name = '']) => name);

describe("the field's words", () => {
  it('name every file and every exported identifier', () => {
    const found = sources.flatMap((file) =>
      [path.parse(file).name, ...exportedNames(file)].flatMap((name) =>
        BANNED.filter(
          ({ room, words }) => room.test(file) && wordsOf(name).some((word) => words.includes(word)),
        ).map(({ say }) => `${file}: ${name}; say ${say}`),
      ),
    );
    orElse('rename what is listed; house words stand beside each', () => expect(found).toEqual([]));
  });

  it('are compared as whole words', () => {
    expect(wordsOf('sharedStrings')).toEqual(['shared', 'strings']);
    expect(wordsOf('threshold')).toEqual(['threshold']);
  });
});

describe('the lock files', () => {
  // npm leaves out the checksums of packages for other systems when it rewrites a lock file.
  it.each(['package-lock.json', 'clients/typescript/package-lock.json'])(
    '%s has the checksum of every package, those for other systems included',
    (file) => {
      const { packages }: LockFile = JSON.parse(readFileSync(file, 'utf8'));
      const unchecked = Object.entries(packages)
        .filter(([folder, { integrity }]) => folder !== '' && !integrity?.startsWith('sha512-'))
        .map(([folder]) => folder);
      orElse(
        'copy the checksums from a lock file that npm makes in an empty folder: npm install --package-lock-only',
        () => expect(unchecked).toEqual([]),
      );
    },
  );
});

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}
