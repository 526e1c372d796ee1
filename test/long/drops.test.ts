// Reads some 350 monthly drops as people and programs make them. None is read wrongly without a report.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Python, pythonWith } from '../../bench/python.ts';
import { writeTemplate } from '../../ingest/commands/template.ts';
import { openDuckDb } from '../../src/duckdb.ts';
import { aMonth } from '../support/month.ts';
import { aSample } from '../support/sample.ts';
import { type Drop, dropVerdict, type Verdict } from './drops/dropVerdict.ts';
import { BY_LIBREOFFICE, type Expected, VERDICTS } from './drops/verdicts.ts';

const run = promisify(execFile);
const SECONDS = 1000;
const DATASETS = ['ggr', 'turnover', 'fx', 'country', 'country_reference'] as const;

/** The selection makes small months, so that many can be read: four countries, two states, four years. */
const FEW = "country IN ('United Kingdom', 'Italy', 'Philippines', 'United States')";
const PARTS: Readonly<Record<(typeof DATASETS)[number], string>> = {
  ggr: `${FEW} AND year >= 2022 AND state IN ('', 'Arizona', 'Nevada') AND temporal = 'Current' AND product IN ('Sport Betting', 'Casino Slots', 'Casino Table Games')`,
  turnover: `${FEW} AND year >= 2022 AND state = '' AND country <> 'Italy'`,
  fx: `${FEW} AND year >= 2020`,
  country: `${FEW} AND year >= 2020 AND state IN ('', 'Arizona', 'Nevada')`,
  country_reference: 'true',
};

let folder: string;
let python: Python;
let missing: string | null = null;
let hasLibreOffice = false;

const drop = (kind: string, from = path.join(folder, 'kinds', kind)): Drop => ({
  directory: from,
  others: path.join(folder, 'base'),
  seen: path.join(folder, 'kinds', kind, 'seen.json'),
});

/** The verdict, and a complaint if no problem has the text that is expected; else ''. */
function shown({ verdict, problems }: Verdict, [, says]: Expected): readonly [string, string] {
  const found =
    says === undefined
      ? ''
      : (problems.find((text) => text.includes(says)) ?? problems.slice(0, 3).join('\n'));
  return [verdict, says === undefined || found.includes(says) ? '' : `no "${says}" in: ${found}`];
}

async function verdictsOf(
  kinds: readonly (readonly [kind: string, expected: Expected])[],
  at: (kind: string) => Drop,
): Promise<void> {
  const wrong: unknown[] = [];
  let silent = 0;
  for (const [kind, expected] of kinds) {
    const verdict = await dropVerdict(at(kind));
    if (verdict.verdict === 'silent') silent += 1;
    const [found, unsaid] = shown(verdict, expected);
    if (found !== expected[0] || unsaid !== '') wrong.push([kind, found, unsaid, verdict.difference]);
  }
  expect(wrong).toEqual([]);
  expect(silent).toBe(0);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drops-'));
  await mkdir(path.join(folder, 'base'));
  const { dataDir, remove } = await aSample();
  const engine = await openDuckDb();
  for (const dataset of DATASETS)
    await engine.connections[0].run(
      `COPY (SELECT * FROM '${dataDir}/current/${dataset}.parquet' WHERE ${PARTS[dataset]}) TO '${folder}/base/${dataset}.csv' (HEADER)`,
    );
  engine.close();
  await remove();
  python = await pythonWith('test/long/written.requirements.txt');
  if ('missing' in python) missing = python.missing;
  else {
    const base = path.join(folder, 'base', 'ggr.csv');
    await run(python.interpreter, ['-B', 'test/long/drops/write.py', base, path.join(folder, 'kinds')]);
  }
  hasLibreOffice = (await run('soffice', ['--version']).catch(() => null)) !== null;
  if (missing !== null) notTried(missing);
  else if (!hasLibreOffice) notTried('soffice is not there');
}, 600 * SECONDS);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The kinds, split into parts. The name of a part has its first and last kind. */
const PARTS_OF_KINDS = Array.from({ length: 10 }, (_, part) => {
  const all = Object.entries(VERDICTS);
  const kinds = all.slice((part * all.length) / 10, ((part + 1) * all.length) / 10);
  return [`${kinds[0]?.[0]} to ${kinds.at(-1)?.[0]}`, kinds] as const;
});

describe('a monthly drop', () => {
  it('has an expected verdict for each kind that is written', async () => {
    if (missing !== null) return;
    expect((await readdir(path.join(folder, 'kinds'))).sort()).toEqual(Object.keys(VERDICTS).sort());
  });

  it.each(PARTS_OF_KINDS)(
    'is read right, refused with a remedy, or warned of, and never wrong in silence: %s',
    async (_, kinds) => {
      if (missing !== null) return;
      await verdictsOf(kinds, drop);
    },
    900 * SECONDS,
  );

  it.each(['ods', 'xlsx', 'csv'] as const)(
    'saved by LibreOffice is read right, refused or warned of: .%s',
    async (format) => {
      if (missing !== null || !hasLibreOffice) return;
      const to = path.join(folder, format);
      await mkdir(path.join(to, 'in'), { recursive: true });
      const kinds = Object.entries(BY_LIBREOFFICE[format]);
      for (const [kind] of kinds)
        await cp(path.join(folder, 'kinds', kind, 'ggr.xlsx'), path.join(to, 'in', `${kind}.xlsx`));
      const files = kinds.map(([kind]) => path.join(to, 'in', `${kind}.xlsx`));
      await savedByLibreOffice(files, format, to);
      for (const [kind] of kinds) {
        await mkdir(path.join(to, kind));
        await cp(path.join(to, `${kind}.${format}`), path.join(to, kind, `ggr.${format}`));
      }
      await verdictsOf(kinds, (kind) => drop(kind, path.join(to, kind)));
    },
    900 * SECONDS,
  );

  it(
    'that is a template which LibreOffice opened and saved, then filled in, is read right',
    async () => {
      if ('missing' in python || !hasLibreOffice) return;
      const month = await aMonth();
      try {
        const template = path.join(month.directory, 'ggr.xlsx');
        await rm(path.join(month.directory, 'ggr.csv'));
        await writeTemplate({
          dataset: 'ggr',
          month: '2026-12',
          filled: false,
          file: template,
          dataDir: month.dataDir,
        });
        await savedByLibreOffice([template], 'xlsx', path.join(folder, 'template'));
        await run(python.interpreter, ['-c', FILL_IN, path.join(folder, 'template', 'ggr.xlsx')]);
        for (const format of ['xlsx', 'ods']) {
          const to = path.join(folder, `filled-${format}`);
          await savedByLibreOffice([path.join(folder, 'template', 'ggr.xlsx')], format, to);
          await rm(template, { force: true });
          await cp(path.join(to, `ggr.${format}`), path.join(month.directory, `ggr.${format}`));
          const { status, manifest, problems } = await month.publish({ dryRun: true, month: '2026-12' });
          expect([format, status, problems.filter(({ severity }) => severity !== 'note')]).toEqual([
            format,
            'checked',
            [],
          ]);
          expect(manifest?.datasets.ggr).toMatchObject({ rows: 1, metrics: { ggr: { sum: 1234.5 } } });
          await rm(path.join(month.directory, `ggr.${format}`));
        }
      } finally {
        await month.remove();
      }
    },
    600 * SECONDS,
  );
});

/** LibreOffice gets a profile of its own, so that it starts although another one is open. */
async function savedByLibreOffice(files: readonly string[], format: string, to: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  await run('soffice', [profile, '--headless', '--convert-to', format, '--outdir', to, ...files]);
}

/** Writes a row below the heading, wherever the template has it. */
const FILL_IN = `
import sys, openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book["ggr"]
heading = next(cell.row for column in sheet.iter_cols() for cell in column if str(cell.value).lower() == "year")
row = {"year": 2024, "region": "Europe", "country": "Malta", "category": "Betting", "product": "Sport Betting", "channel": "Online",
    "subchannel": "Onshore", "fx": "EUR", "temporal": "Current", "ggr": 1234.5}
for cell in sheet[heading]:
    key = str(cell.value or "").lower().replace(" ", "").replace("_", "")
    if key in row:
        sheet.cell(heading + 1, cell.column, row[key])
book.save(sys.argv[1])
`;

import { notTried } from '../support/notTried.ts';
