// The files that docs/ingest.md shows are read as it says, and the command prints the problems that it shows.

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { printedPublish } from '../../ingest/commands/output/printedPublish.ts';
import { RULES } from '../../ingest/guards/finding.ts';
import { FILE_FORMATS } from '../../ingest/messages/fileFormats.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { aMonth, csvOf } from '../support/month.ts';
import { orElse } from '../support/orElse.ts';
import { aRow } from '../support/snapshot.ts';

const PAGE = new URL('../../docs/ingest.md', import.meta.url);
const page = readFileSync(PAGE, 'utf8');
const block = (info: string) => page.split(`\`\`\`${info}\n`)[1]?.split('```')[0] ?? '';
const REFERENCE = csvOf('country_reference', [
  aRow('country_reference'),
  aRow('country_reference', { country: 'Spain' }),
]);

describe('docs/ingest.md', () => {
  it('names every format of source files, as the README and docs/snapshots.md do', () => {
    const extensions = Object.values(FILE_FORMATS).flatMap(({ extensions: all }) =>
      all.map((one) => `.${one}`),
    );
    for (const file of ['docs/ingest.md', 'docs/snapshots.md', 'README.md'])
      orElse(`name the format in ${file}`, () =>
        expect(extensions.filter((one) => !readFileSync(file, 'utf8').includes(one))).toEqual([]),
      );
  });

  it('shows long and wide files that are published as they stand', async () => {
    const month = await aMonth({
      'ggr.csv': block('csv ggr.csv'),
      'country.csv': block('csv country.csv'),
      'country_reference.csv': REFERENCE,
    });
    try {
      const { status, problems, manifest } = await month.publish();
      expect({ status, problems }).toEqual({ status: 'published', problems: [] });
      expect(manifest?.datasets.ggr).toMatchObject({ rows: 2, metrics: { ggr: { sum: 45500000.5 } } });
      expect(manifest?.datasets.country).toMatchObject({
        rows: 2,
        years: [2024, 2025],
        metrics: {
          gdp_usd: { nulls: 0 },
          adult_population: { sum: 470000, nulls: 1 },
          inflation: { nulls: 2 },
        },
      });
    } finally {
      await month.remove();
    }
  });

  it('shows what is printed for a file with many faults', async () => {
    const month = await aMonth({ 'ggr.csv': block('csv ggr.csv wrong'), 'country_reference.csv': REFERENCE });
    try {
      const result = await month.publish();
      expect(result.exitCode).toBe(4);
      const printed = printedPublish(result, { month: '2026-11', strict: false });
      if (process.env.UPDATE_DOCS === '1') {
        writeFileSync(
          PAGE,
          page.replace(/(?<=```text\n).*?(?=```)/s, () => printed),
        );
      } else expect(printed).toBe(block('text'));
    } finally {
      await month.remove();
    }
  });
});

it('docs/findings.md lists findings by the names that reports show', async () => {
  const names = [...readFileSync('docs/findings.md', 'utf8').matchAll(/^\| (.+?) \| .* \| .* \|$/gm)].flatMap(
    ([, name = '']) => name.split(' / '),
  );
  const patterns = names.map(
    (name) =>
      new RegExp(
        `^${name
          .replaceAll('&lt;', '<')
          .split(/…|\*\w+\*/)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.+')}$`,
      ),
  );
  const wide = HEADING.replace('year,', '').replace(',ggr', ',FY2023,2024,2024');
  const text = (cell: string, i = 0) => `${MALTA.with(0, 2000 + i).join(',')},${cell}`;
  const cells = ['x', '1.2m', '(5)', '<5', '1.00E+07', 'n/a', '-5', '1e-400', '$5'];
  const kinds = [
    ...(await kindsOf({ 'ggr.csv': block('csv ggr.csv wrong') })),
    ...(await kindsOf({ 'ggr.csv': [HEADING, ...cells.map(text), ''].join('\n') })),
    ...(await kindsOf({
      'ggr.csv': `${wide}\n${MALTA.slice(1).join(',')},1,2,3\n`,
      'fx.xls': 'x',
      'ggr-a.csv': '',
    })),
    ...(await kindsOf({ 'ggr.csv': `${HEADING},Comment\n${text('5')},x\n`, 'sales.csv': 'a,b\n' })),
  ];
  expect(kinds.length).toBeGreaterThan(20);
  expect(kinds.filter((kind) => !patterns.some((pattern) => pattern.test(kind)))).toEqual([]);
});

describe('docs/ingest.md on guards', () => {
  const [, rest = ''] = page.split('## What is compared and refused');
  const section = rest.split('\n## ')[0] ?? '';

  it('names every rule, in order', () => {
    const named = [...section.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, rule]) => rule);
    orElse('add a row to the table of guards in docs/ingest.md, in the order of RULES', () =>
      expect([...new Set(named)]).toEqual([...RULES]),
    );
  });

  it('states the limits of the settings', () => {
    const limits = { rows: 'ROWS', totals: 'TOTALS', 'closed-years': 'CLOSED_YEARS' } as const;
    for (const [rule, name] of Object.entries(limits)) {
      const [, warn, refuse] =
        new RegExp(`^\\| \`${rule}\` +\\|.+\\| ([\\d.]+) % +\\| ([\\d.]+) % +\\|$`, 'm').exec(section) ?? [];
      const limitOf = (end: 'WARN' | 'REFUSE') => Number(SETTINGS[`GUARD_${name}_${end}`].fallback) * 100;
      expect([rule, Number(warn), Number(refuse)]).toEqual([rule, limitOf('WARN'), limitOf('REFUSE')]);
    }
  });
});

const HEADING = 'year,region,country,state,category,product,channel,sub_channel,fx,temporal,ggr';
const MALTA = [2024, 'Europe', 'Malta', null, 'Betting', 'Poker', 'Online', 'Onshore', 'EUR', 'Current'];

/** The names of errors and warnings as reports show them. Each occurs once. */
async function kindsOf(files: Parameters<typeof aMonth>[0]): Promise<readonly string[]> {
  const month = await aMonth(files);
  try {
    const { problems } = await month.publish();
    return [...new Set(problems.flatMap(({ severity, kind }) => (severity === 'note' ? [] : [kind])))];
  } finally {
    await month.remove();
  }
}
