// Guards find copied figures, even if the copied figures were revised in the same month.

import { describe, expect, it } from '@jest/globals';
import { runGuards } from '../../../ingest/guards/runGuards.ts';
import { byDataset } from '../../../src/catalog/datasets.ts';
import { readConfig } from '../../../src/config/config.ts';
import { aComparison, guarded } from '../../support/comparedSnapshots.ts';
import { aRow, type Row } from '../../support/snapshot.ts';

const { guards: LIMITS } = readConfig({});

const PRODUCTS = ['Bingo', 'Casino Slots', 'Casino Table Games', 'Poker'];
const YEARS = [2026, 2027, 2028, 2029];

/** Forecasts of two countries in two currencies, multiplied by `change`. */
const forecasts = (change: (row: Row) => number = () => 1): Row[] =>
  ['Chile', 'France'].flatMap((country, c) =>
    YEARS.flatMap((year) =>
      PRODUCTS.flatMap((product, p) =>
        ['EUR', 'USD'].map((fx, j): Row => {
          const row = aRow('ggr', { country, year, product, fx, category: 'Gaming', temporal: 'Forecast' });
          const ggr = (1_234_567 + 10_013 * (year - 2020)) * (1 + 0.31 * p) * (1 + 0.2 * c) * (1 + 0.13 * j);
          return { ...row, ggr: Math.round(ggr * change(row)) };
        }),
      ),
    ),
  );

const revised = forecasts(({ year }) => 1.01 + 0.001 * (Number(year) - 2026));

/** The revised figures. A row for which `source` names another row gets that row's figure. */
const taken = (source: (row: Row) => Row | null): Row[] =>
  revised.map((row) => {
    const wanted = Object.entries({ ...row, ggr: null, ...source(row) });
    const from = revised.find((other) =>
      wanted.every(([name, value]) => name === 'ggr' || other[name] === value),
    );
    return { ...row, ggr: from?.ggr ?? null };
  });

async function findingsOn(after: readonly Row[]): Promise<string[]> {
  const { findings } = await guarded({ ggr: forecasts() }, { ggr: after });
  return findings
    .filter(({ rule }) => rule === 'copies')
    .map(({ severity, message }) => `${severity} ${message.replace(/ \(\d.*/, '')}`);
}

describe('forecasts that were all revised', () => {
  it('are a warning where one year of a currency has the revised figures of another currency', async () => {
    const ggr = taken(({ country, year, fx }) =>
      country === 'Chile' && year === 2026 && fx === 'USD' ? { fx: 'EUR' } : null,
    );
    expect(await findingsOn(ggr)).toEqual([
      "warn Chile (forecasts): 4 changed values repeat another currency's: USD those of EUR",
    ]);
  });

  it('are a warning where a country has the revised figures of another one', async () => {
    const ggr = taken(({ country }) => (country === 'Chile' ? { country: 'France' } : null));
    expect(await findingsOn(ggr)).toEqual([
      "warn Chile (forecasts): 32 changed values repeat another country's: Chile those of France",
    ]);
  });

  it('are not a finding where figures that were equal before were revised alike', async () => {
    expect(await findingsOn(revised)).toEqual([]);
    const equal = (rows: readonly Row[]) =>
      rows.map((row) => ({ ...row, ...(row.fx === 'USD' ? { fx: 'PAB' } : {}) }));
    const both = (rows: readonly Row[]) => [...rows, ...equal(rows.filter(({ fx }) => fx === 'USD'))];
    const { findings } = await guarded({ ggr: both(forecasts()) }, { ggr: both(revised) });
    expect(findings.filter(({ rule }) => rule === 'copies')).toEqual([]);
  });

  it('are not a finding where a currency is equal again to the one that it is pegged to', async () => {
    const pegged = (rows: readonly Row[], change: (row: Row) => number = () => 1) => [
      ...rows,
      ...rows
        .filter(({ fx }) => fx === 'USD')
        .map((row) => ({ ...row, fx: 'PAB', ggr: Math.round(Number(row.ggr) * change(row)) })),
    ];
    const before = pegged(forecasts(), ({ country, year }) =>
      country === 'Chile' && year === 2026 ? 1.1 : 1,
    );
    const { findings } = await guarded({ ggr: before }, { ggr: pegged(forecasts()) });
    expect(findings.filter(({ rule }) => rule === 'copies')).toEqual([]);
  });
});

describe('figures of two channels of a product', () => {
  const LAND = { channel: 'Land', sub_channel: 'Retail' };
  const ONLINE = { channel: 'Online', sub_channel: 'Onshore' };
  const rows = (places: readonly (typeof LAND)[]): Row[] =>
    places.flatMap((place, p) =>
      [2018, 2019, 2020, 2021].flatMap((year) =>
        PRODUCTS.map((product, i) => {
          const ggr = 1_234_567 + 40_013 * p + 10_013 * (year - 2018) + 700_001 * i;
          return aRow('ggr', { country: 'Chile', product, year, fx: 'USD', ...place, ggr });
        }),
      ),
    );

  it('are refused where they were exchanged, with their sub-channels', async () => {
    const comparison = await aComparison({ ggr: rows([LAND, ONLINE]) }, { ggr: rows([ONLINE, LAND]) });
    expect(
      runGuards(
        comparison,
        byDataset(() => LIMITS),
        [],
      ).findings.map(({ severity, message }) => [severity, message]),
    ).toEqual([
      [
        'refuse',
        expect.stringMatching(
          /^Chile: 32 changed reported values repeat another channel's: Online those of Land and Land those of Online/,
        ),
      ],
    ]);
  });
});
