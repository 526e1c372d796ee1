// Makes the name of a downloaded file from dataset, filters, years and snapshot.

import type { Selection } from './resolve.ts';

/** A name such as `ggr-malta-2018-2030-2026-11.1.csv`. A filter with more than two values is named by their number. */
export function fileName(
  { dataset, filters, period, assumed }: Selection,
  snapshot: string,
  format: string,
): string {
  const taken = assumed.map(({ dimension }) => dimension);
  const chosen = Object.entries(filters)
    .filter(([dimension]) => !taken.includes(dimension) || dimension === 'fx')
    .flatMap(([, values]) => (values.length <= 2 ? values : [`${values.length}-values`]))
    .map(slug)
    .filter((text) => text !== '');
  const parts = chosen.length > 4 ? [...chosen.slice(0, 4), 'and-more'] : chosen;
  const years = period === null ? [] : [period.first, period.last];
  return `${[dataset.name, ...parts, ...new Set(years), snapshot].join('-')}.${format}`;
}

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 30);
