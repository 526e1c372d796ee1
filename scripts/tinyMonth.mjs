// Writes the sources of a tiny month: what the build publishes to learn which code a publish runs.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const COUNTRIES = ['Malta', 'Norway', 'Sweden', 'Spain'];
const YEARS = Array.from({ length: 12 }, (_, i) => 2015 + i);
const PRODUCTS = [
  ['Betting', 'Sport Betting'],
  ['Gaming', 'Casino'],
  ['Lottery', 'Draw Games'],
];

/**
 * @param revision Each revision changes a few values of the one before it, and adds a row.
 * @param writeWorkbook The product's own writer.
 */
export function writeTinyMonth(folder, revision, writeWorkbook) {
  mkdirSync(folder, { recursive: true });
  const chunks = [];
  writeWorkbook([{ name: 'Data', rows: [GGR, ...ggr(revision)] }], {}, (chunk) => chunks.push(chunk));
  writeFileSync(path.join(folder, 'ggr.xlsx'), Buffer.concat(chunks));
  for (const [name, rows] of Object.entries(others(revision)))
    writeFileSync(path.join(folder, `${name}.csv`), rows.map((row) => `${row.join(',')}\n`).join(''));
}

const GGR = 'Year,Region,Country,State,Category,Product,Channel,Sub-channel,FX,Temporal,GGR'.split(',');

const facts = (scale, revision) =>
  COUNTRIES.flatMap((country, c) =>
    PRODUCTS.flatMap(([category, product], p) =>
      YEARS.flatMap((year, y) =>
        ['EUR', 'USD'].map((fx, f) => {
          const revised = revision > 0 && (c * 31 + p * 7 + y) % 17 === 0 ? 1.01 : 1;
          const value = Math.round(scale * (c + 1) * (p + 2) * (20 + y) * (1 + f / 10) * revised) / 100;
          return [year, 'Europe', country, '', category, product, 'Online', 'Onshore', fx, 'Current', value];
        }),
      ),
    ),
  );

const ggr = (revision) => [
  ...facts(1234, revision),
  ...(revision === 0
    ? []
    : [[2026, 'Europe', 'Malta', 'Gozo', ...PRODUCTS[0], 'Online', 'Onshore', 'EUR', 'Current', 3.5]]),
];

const others = (revision) => ({
  turnover: [[...GGR.slice(0, -1), 'Turnover'], ...facts(9876, revision)],
  fx: [
    'Year,Region,Country,State,fx_local_currency,temporal,calculation,fx_constant_usd,fx_current_eur,fx_constant_eur,fx_current_usd'.split(
      ',',
    ),
    ...byCountryAndYear((_, y) => ['EUR', 'Current', 'Reported', 1.1, 1, 1, 1.1 + y / 100]),
  ],
  country: [
    'Year,Region,Country,State,temporal,calculation,gdp_local_currency,gdp_usd,adult_population,inflation'.split(
      ',',
    ),
    ...byCountryAndYear((c, y) => [
      ...['Current', 'Reported', 1e9 * (c + 1 + y / 10), 1.1e9 * (c + 1 + y / 10)],
      ...[1e6 * (c + 1), 2 + y / 10],
    ]),
  ],
  country_reference: [
    ['region', 'country', 'country_type'],
    ...COUNTRIES.map((country) => ['Europe', country, 'Tracked']),
  ],
});

const byCountryAndYear = (rest) =>
  COUNTRIES.flatMap((country, c) => YEARS.map((year, y) => [year, 'Europe', country, '', ...rest(c, y)]));
