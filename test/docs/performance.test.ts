// The tables of docs/performance.md show the run in bench/kept.json. With UPDATE_DOCS=1 this test writes them.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { performanceTables } from '../../bench/performanceTables.ts';
import type { Run } from '../../bench/runPage.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = path.join(ROOT, 'docs/performance.md');
const SECTION = /(?<=\n## The figures\n\n).*?(?=\n## )/s;

const kept: Run = JSON.parse(readFileSync(path.join(ROOT, 'bench/kept.json'), 'utf8'));
const tables = performanceTables(kept);

it('shows the tables of the kept run', () => {
  const page = readFileSync(PAGE, 'utf8');
  if (process.env.UPDATE_DOCS === '1')
    writeFileSync(
      PAGE,
      page.replace(SECTION, () => tables),
    );
  expect(SECTION.exec(readFileSync(PAGE, 'utf8'))?.[0]).toBe(tables);
});

it('shows every figure of the kept run', () => {
  const figures = Object.values(kept.rows).flat();
  expect(figures.length).toBeGreaterThan(60);
  expect(figures.filter(({ what }) => !tables.includes(` | ${what} | `))).toEqual([]);
});
