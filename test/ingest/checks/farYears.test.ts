// Years that are far from all others of their dataset, because a digit is mistyped.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AcceptedYears } from '../../../ingest/checks/acceptedYears.ts';
import { farYears } from '../../../ingest/checks/farYears.ts';
import { checkYears } from '../../../ingest/checks/implausibleYears.ts';
import { stageMonth } from '../../../ingest/commands/publish/stagedMonth.ts';
import { Problems } from '../../../ingest/messages/problems.ts';
import { literal } from '../../../src/duckdb.ts';
import { itInDepth } from '../../support/depth.ts';
import { aMonth, type Content, csvOf, publishDefaults, SILENT } from '../../support/month.ts';
import { openStaging } from '../../support/openStaging.ts';
import { aRow, type Row } from '../../support/snapshot.ts';
import { query } from '../../support/testEngine.ts';

const YEARS = Array.from({ length: 28 }, (_, i) => 2003 + i);

/** Three rows of a year, in currencies of their own. */
const rowsOf = (year: number): Row[] =>
  ['EUR', 'USD', 'SEK'].map((fx, i) =>
    aRow('ggr', {
      year,
      fx,
      temporal: year > 2025 ? 'Forecast' : 'Current',
      ggr: 70_000 + 1000 * (year % 100) + i,
    }),
  );

const HONEST = YEARS.flatMap(rowsOf);

/** The problems of these files that are about a year. */
async function problemsWith(files: Readonly<Record<string, Content>>): Promise<readonly string[]> {
  const month = await aMonth(files);
  try {
    const problems = await month.problems();
    return problems.filter((text) => /: year is /.test(text));
  } finally {
    await month.remove();
  }
}

const problemsOfYears = (...years: readonly number[]) =>
  problemsWith({ 'ggr.csv': csvOf('ggr', [...HONEST, ...years.map((year) => ({ ...aRow('ggr'), year }))]) });

describe('a year far from all others', () => {
  it.each([
    [1824, '179 years before', '; did you mean 2024? I'],
    [2204, '174 years after', '; did you mean 2024 or 2004? I'],
    [2083, '53 years after', '; did you mean 2023? I'],
    [1953, '50 years before', '; correct the year if it is mistyped; i'],
    [9999, '7969 years after', '; correct the year if it is mistyped; i'],
    [2525, '495 years after', '; did you mean 2025? I'],
  ])('is an error: %s', async (year, distance, remedy) => {
    const accept = `f ${year} is right: --accept far-years:ggr:${year} --reason "…"`;
    expect(await problemsOfYears(year)).toEqual([
      `error ggr.csv › line 86, column year: year is ${year}, ${distance} the others (2003 to 2030)${remedy}${accept}`,
    ]);
  });

  it('is a warning from 15 years away on', async () => {
    expect(await problemsOfYears(1954, 1989, 2044)).toEqual([
      'warning ggr.csv › line 86, column year: year is 1954, 35 years before the others (1989 to 2044); correct the year if it is mistyped',
    ]);
    expect(await problemsOfYears(1988, 2045)).toEqual([
      'warning ggr.csv › line 86, column year: year is 1988, 15 years before the others (2003 to 2030); correct the year if it is mistyped',
      'warning ggr.csv › line 87, column year: year is 2045, 15 years after the others (2003 to 2030); did you mean 2025?',
    ]);
    expect(await problemsOfYears(1989, 2044)).toEqual([]);
  });

  it('is reported once for each file, as is a cell that cannot be read', async () => {
    const far = rowsOf(1824).slice(1);
    const problems = await problemsWith({
      'ggr-a.csv': csvOf('ggr', [...HONEST, ...far]),
      'ggr-b.csv': csvOf('ggr', [aRow('ggr', { year: 'FY24' }), aRow('ggr', { year: 1824, fx: 'GBP' })]),
    });
    expect(problems).toEqual([
      expect.stringMatching(/^error ggr-b\.csv › line 2, column year: year is "FY24", a financial year/),
      'error ggr-a.csv › line 86, column year: year is 1824 in 2 rows, 179 years before the others (2003 to 2030); did you mean 2024? If 1824 is right: --accept far-years:ggr:1824 --reason "…"',
      'error ggr-b.csv › line 3, column year: year is 1824, 179 years before the others (2003 to 2030); did you mean 2024? If 1824 is right: --accept far-years:ggr:1824 --reason "…"',
    ]);
  });

  it('is found in Parquet, and in the headings of a wide table', async () => {
    const folder = await aMonth({ 'ggr.csv': csvOf('ggr', [...HONEST, ...rowsOf(1824).slice(1)]) });
    const file = path.join(folder.directory, 'ggr.parquet');
    await query(
      `COPY (FROM read_csv(${literal(path.join(folder.directory, 'ggr.csv'))}, nullstr = '-')) TO ${literal(file)} (FORMAT parquet)`,
    );
    const problems = await problemsWith({ 'ggr.parquet': await readFile(file) });
    await folder.remove();
    expect(problems).toEqual([
      'error ggr.parquet › row 85, column year: year is 1824 in 2 rows, 179 years before the others (2003 to 2030); did you mean 2024? If 1824 is right: --accept far-years:ggr:1824 --reason "…"',
    ]);

    const { year: _, ggr: __, ...labels } = aRow('ggr');
    const headings = [...YEARS, 1824];
    const wide = [Object.keys(labels), Object.values(labels)]
      .map((cells, i) => [...cells, ...headings.map((year) => (i === 0 ? year : 70_000 + year))].join(','))
      .join('\n');
    expect(await problemsWith({ 'ggr.csv': `${wide}\n` })).toEqual([
      'error ggr.csv › line 2: year is 1824, 179 years before the others (2003 to 2030); did you mean 2024? If 1824 is right: --accept far-years:ggr:1824 --reason "…"',
    ]);
  });

  it('is an error when it is of another calendar and others are Gregorian', async () => {
    expect(await problemsOfYears(1402, 2566)).toEqual([
      'error ggr.csv › line 86, column year: year is 1402: a year of the Persian or the Islamic calendar; write the year of the Gregorian calendar, such as 2023',
      'error ggr.csv › line 87, column year: year is 2566: a year of the Buddhist calendar; write the year of the Gregorian calendar, such as 2023',
    ]);
  });
});

describe('a far year that is right', () => {
  const SERIES = [1930, 1931, 1932].flatMap((year) => ({ ...aRow('ggr'), year }));
  const accept = (years: { first: number; last: number } | null, dataset: 'ggr' | 'fx' | null = 'ggr') => ({
    acceptYears: [{ dataset, years, reason: 'the census of 1933' }],
  });
  const yearsTold = (problems: readonly { severity: string; problem: string; remedy: string | null }[]) =>
    problems.flatMap(({ severity, problem, remedy }) =>
      /^year is |nothing of the kind/.test(problem) ? [[severity, problem, remedy]] : [],
    );

  it('is published and recorded once a person accepts it, and is a warning from then on', async () => {
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', [...HONEST, ...SERIES]) });
    try {
      const refused = await month.publish();
      expect(refused.status).toBe('rejected');
      expect(yearsTold(refused.problems)[0]).toEqual([
        'error',
        'year is 1930, 73 years before the others (2003 to 2030)',
        'did you mean 2030? If 1930 to 1932 are right: --accept far-years:ggr:1930-1932 --reason "…"',
      ]);
      const partly = await month.publish(accept({ first: 1930, last: 1931 }));
      expect(yearsTold(partly.problems).map(([severity]) => severity)).toEqual(['error', 'note', 'note']);

      const published = await month.publish(accept({ first: 1930, last: 1932 }));
      expect(published.status).toBe('published');
      expect(yearsTold(published.problems)[0]).toEqual([
        'note',
        'year is 1930, 73 years before the others (2003 to 2030); accepted: "the census of 1933"',
        null,
      ]);
      expect(published.manifest?.accepted).toEqual([
        {
          rule: 'far-years',
          dataset: 'ggr',
          reason: 'the census of 1933',
          findings: [1930, 1931, 1932].map(
            (year) => `ggr: year is ${year}, ${2003 - year} years before the others (2003 to 2030)`,
          ),
        },
      ]);
      const next = await month.publish({ month: '2026-12' });
      expect(next.status).toBe('published');
      expect(yearsTold(next.problems).map(([severity, , remedy]) => [severity, remedy])).toEqual([
        ['warning', 'did you mean 2030?'],
        ...Array(2).fill(['warning', 'correct the year if it is mistyped']),
      ]);
      await month.write({ 'ggr.csv': csvOf('ggr', [...HONEST, ...SERIES, { ...aRow('ggr'), year: 1824 }]) });
      const typo = await month.publish({ month: '2027-01' });
      expect(
        yearsTold(typo.problems).map(([severity, problem]) => [severity, problem?.slice(0, 12)]),
      ).toEqual([
        ['error', 'year is 1824'],
        ...[1930, 1931, 1932].map((year) => ['warning', `year is ${year}`]),
      ]);
    } finally {
      await month.remove();
    }
  });

  itInDepth('is accepted in its dataset alone, also where it is of another calendar', async () => {
    const month = await aMonth({ 'ggr.csv': csvOf('ggr', [...HONEST, { ...aRow('ggr'), year: 1402 }]) });
    try {
      const other = await month.publish(accept(null, 'fx'));
      expect(other.status).toBe('rejected');
      expect(yearsTold(other.problems)).toContainEqual([
        'note',
        'there was nothing of the kind to accept',
        null,
      ]);
      expect((await month.publish(accept(null, null))).manifest?.accepted).toEqual([
        expect.objectContaining({ rule: 'far-years', reason: 'the census of 1933' }),
      ]);
    } finally {
      await month.remove();
    }
  });
});

it('in rows that are carried is a warning, because no source has it', async () => {
  const month = await aMonth({
    'ggr.csv': csvOf('ggr', [...HONEST, aRow('ggr', { year: 1824 }), aRow('ggr', { year: 1402 })]),
  });
  const staging = await openStaging();
  try {
    const options = { ...publishDefaults(), dataDir: month.dataDir, directory: month.directory };
    await stageMonth(options, staging, month.dataDir, SILENT);
    const problems = new Problems();
    await checkYears({
      staging,
      datasets: ['ggr'],
      rowsInMemory: new Map(),
      publishedValues: null,
      carried: new Set(['ggr']),
      acceptedYears: new AcceptedYears(),
      problems,
    });
    expect(problems.list().map(({ severity, remedy }) => [severity, remedy])).toEqual([
      ['warning', 'publish ggr anew instead of --carry ggr'],
      ['warning', 'write the year of the Gregorian calendar, such as 2023'],
    ]);
  } finally {
    staging.close();
    await month.remove();
  }
});

describe('far years', () => {
  const farYearsAmong = (...years: readonly (readonly [year: number, rows: number])[]) =>
    farYears(years.map(([year, rows]) => ({ year, rows }))).map(({ year, isWrong }) => [year, isWrong]);
  const others = (rows: number) => [2003, 2004, 2005].map((year) => [year, rows] as const);

  it('need three other years', () => {
    expect(farYearsAmong([1824, 1], [2003, 50], [2004, 50])).toEqual([]);
    expect(farYearsAmong([1824, 1], ...others(50))).toEqual([[1824, true]]);
  });

  it('are wrong only where they are few, and warned of up to half of the rows', () => {
    expect(farYearsAmong([1824, 15], ...others(95))).toEqual([[1824, true]]);
    expect(farYearsAmong([1824, 16], ...others(95))).toEqual([[1824, false]]);
    expect(farYearsAmong([1824, 299], ...others(100))).toEqual([[1824, false]]);
    expect(farYearsAmong([1824, 300], ...others(100))).toEqual([]);
    expect(farYearsAmong([1980, 15], ...others(95))).toEqual([[1980, false]]);
    expect(farYearsAmong([1980, 16], ...others(95))).toEqual([]);
  });

  it('are measured from the first of the others, also where these have a gap', () => {
    const years = [1824, 1980, 1981, 1982, 2003, 2004, 2005].map((year) => ({
      year,
      rows: year < 1900 ? 1 : 50,
    }));
    expect(farYears(years)).toEqual([
      { year: 1824, rows: 1, first: 1980, last: 2005, isWrong: true, likelyYears: [] },
    ]);
  });

  it('are wrong also where two of them are near each other', () => {
    expect(farYearsAmong([1823, 1], [1824, 1], ...others(50))).toEqual([
      [1823, true],
      [1824, true],
    ]);
  });

  it('are measured from the nearest year that is not wrong', () => {
    expect(farYearsAmong([1950, 1], [1975, 1], ...others(50))).toEqual([
      [1950, false],
      [1975, false],
    ]);
  });
});
