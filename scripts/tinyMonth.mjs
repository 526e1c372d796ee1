// Writes the sources of a tiny month. The build publishes it to find the code that publishing runs.

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
 * Writes a source for each dataset into `folder`.
 *
 * @param revision 0 or 1. Revision 1 changes a few values of revision 0, and adds a row.
 * @param modules The product's own `writeWorkbook` and `DATASETS`.
 */
export function writeTinyMonth(folder, revision, { writeWorkbook, DATASETS }) {
  mkdirSync(folder, { recursive: true });
  const chunks = [];
  writeWorkbook([{ name: 'Data', rows: [GGR, ...ggr(revision)] }], {}, (chunk) => chunks.push(chunk));
  writeFileSync(path.join(folder, 'ggr.xlsx'), Buffer.concat(chunks));
  for (const [name, dataset] of Object.entries(DATASETS)) {
    if (name === 'ggr') continue;
    const rows = name === 'turnover' ? turnover(revision) : plainRows(dataset);
    writeFileSync(path.join(folder, `${name}.csv`), rows.map((row) => `${row.join(',')}\n`).join(''));
  }
}

/** A value of each dimension, except the year and the country. */
const VALUES = {
  region: 'Europe',
  state: '',
  category: 'Betting',
  product: 'Sport Betting',
  channel: 'Online',
  sub_channel: 'Onshore',
  fx: 'EUR',
  fx_local_currency: 'EUR',
  temporal: 'Current',
  calculation: 'Reported',
  country_type: 'Tracked',
};

/** The value of each metric, by the number of its country and that of its year. Metrics without an entry are amounts. */
const METRICS = {
  fx_constant_usd: () => 1.1,
  fx_current_eur: () => 1,
  fx_constant_eur: () => 1,
  fx_current_usd: (_, y) => 1.1 + y / 100,
  gdp_local_currency: (c, y) => 1e9 * (c + 1 + y / 10),
  gdp_usd: (c, y) => 1.1e9 * (c + 1 + y / 10),
  adult_population: (c) => 1e6 * (c + 1),
  inflation: (_, y) => 2 + y / 10,
};

const anAmount = (c, y) => 1e6 * (c + 1) + 1e4 * y;

/** The rows of a dataset other than ggr and turnover: one for each country and year. */
const plainRows = ({ dimensions, metrics }) => [
  [...dimensions, ...Object.keys(metrics)],
  ...COUNTRIES.flatMap((country, c) =>
    (dimensions.includes('year') ? YEARS : [0]).map((year, y) => [
      ...dimensions.map((dimension) => valueOfDimension(dimension, { ...VALUES, country, year })),
      ...Object.keys(metrics).map((metric) => (METRICS[metric] ?? anAmount)(c, y)),
    ]),
  ),
];

function valueOfDimension(dimension, values) {
  if (values[dimension] === undefined)
    throw new Error(`scripts/tinyMonth.mjs: add a value of the dimension ${dimension} to VALUES`);
  return values[dimension];
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

const turnover = (revision) => [[...GGR.slice(0, -1), 'Turnover'], ...facts(9876, revision)];
