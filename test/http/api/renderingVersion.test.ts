// ETags change with the code that renders bodies, and with nothing else.

import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { etagOf } from '../../../src/http/api/identity.ts';
import { modulesOf, renderingVersion, versionOf } from '../../../src/http/api/renderingVersion.ts';

/** A copy of the built program that tests may change. Its files are restored after each test. */
let program: string;
let app: string;
beforeAll(async () => {
  program = await mkdtemp(path.join(os.tmpdir(), 'data-api-version-'));
  await cp('dist/src', path.join(program, 'dist/src'), { recursive: true });
  await cp('package.json', path.join(program, 'package.json'));
  app = path.join(program, 'dist/src/http/app.js');
});
afterAll(() => rm(program, { recursive: true }));

/** Files of the program that a test has changed, as relative paths. */
const changed = new Set<string>();
afterEach(async () => {
  for (const file of changed) await cp(file, path.join(program, file));
  changed.clear();
  expect(versionOf(app)).toBe(renderingVersion());
});

async function append(file: string, text: string): Promise<void> {
  changed.add(file);
  await appendFile(path.join(program, file), text);
}

const change = (file: string) => append(path.join('dist/src', file), '\n// changed\n');

describe('the version of the code that renders', () => {
  it('is the same wherever the program is installed', () => {
    expect(versionOf(app)).toBe(renderingVersion());
  });

  it.each([
    'query/rendering/renderJson.js',
    'query/rendering/bytesWriter.js',
    'query/cursor.js',
    'query/rendering/rowTexts.js',
    'catalog/datasets.js',
    'http/api/catalog.js',
    'http/api/rows.js',
  ])('changes with %s', async (file) => {
    await change(file);
    expect(versionOf(app)).not.toBe(renderingVersion());
  });

  it.each(['http/pages/claim.js', 'access/keys/keys.js', 'main.js'])(
    'stays when %s changes',
    async (file) => {
      await change(file);
      expect(versionOf(app)).toBe(renderingVersion());
    },
  );

  it('does not change with a file that no endpoint imports', async () => {
    await writeFile(path.join(program, 'dist/src/query/left-over.js'), 'export const old = 1;\n');
    expect(versionOf(app)).toBe(renderingVersion());
  });

  it('changes with the version of a package that renders answers, and with no other package', async () => {
    const file = path.join(program, 'package.json');
    changed.add('package.json');
    const { dependencies, ...others } = JSON.parse(await readFile(file, 'utf8'));
    const { packages } = modulesOf(app);
    const write = (name: string) =>
      writeFile(file, JSON.stringify({ ...others, dependencies: { ...dependencies, [name]: '99.0.0' } }));
    expect(packages).toContain('zod');
    await write('zod');
    expect(versionOf(app)).not.toBe(renderingVersion());
    expect(packages).not.toContain('ioredis');
    await write('ioredis');
    expect(versionOf(app)).toBe(renderingVersion());
  });

  it('knows every module that an endpoint imports, however it is imported', async () => {
    await append('dist/src/query/cursor.js', "export * from './anew.js';\n");
    await writeFile(
      path.join(program, 'dist/src/query/anew.js'),
      "await import('./later.js');\nimport './bare.js';\n",
    );
    await writeFile(path.join(program, 'dist/src/query/later.js'), '');
    await writeFile(path.join(program, 'dist/src/query/bare.js'), '');
    const names = modulesOf(app).files.map((file) => path.basename(file));
    expect(names).toEqual(expect.arrayContaining(['anew.js', 'later.js', 'bare.js', 'renderJson.js']));
  });

  it('is part of every ETag', () => {
    const etags = ['one', 'another'].map((version) => etagOf('key', version));
    expect(new Set(etags).size).toBe(2);
  });
});
