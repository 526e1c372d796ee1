// Makes the name of a downloaded file from dataset, filters, years and snapshot, without its extension.

import { foldCaseAndAccents } from './searchValues.ts';
import type { Selection } from './selection.ts';

/** A name such as `ggr-malta-2018-2030-2026-11.1`. A filter with more than two values is named by their number. */
export function fileName({ dataset, filters, period, defaultFilters }: NamedParts, snapshot: string): string {
  const taken = defaultFilters.map(({ dimension }) => dimension);
  const chosen = Object.entries(filters)
    .filter(([dimension]) => !taken.includes(dimension) || dimension === 'fx')
    .flatMap(([, values]) => (values.length <= 2 ? values : [`${values.length}-values`]))
    .map(slug)
    .filter((text) => text !== '');
  const parts = chosen.length > 4 ? [...chosen.slice(0, 4), 'and-more'] : chosen;
  const years = period === null ? [] : [period.first, period.last];
  return [dataset.name, ...parts, ...new Set(years), snapshot].join('-');
}

/** The parts of a selection that are in the name. */
type NamedParts = Pick<Selection, 'filters' | 'period' | 'defaultFilters'> & {
  readonly dataset: { readonly name: string };
};

/**
 * A text as a part of a name: letters and digits of any script, so that names in Arabic or Japanese still differ. A long
 * text is cut between characters, because half of a surrogate pair cannot be in the name of a file.
 */
const slug = (text: string): string =>
  [
    ...foldCaseAndAccents(text)
      .normalize()
      .replace(/[^\p{L}\p{N}]+/gu, '-'),
  ]
    .slice(0, 30)
    .join('')
    .replace(/^-|-$/g, '');
