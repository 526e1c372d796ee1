// Says what is wrong with a heading that names no column of the dataset, and what it should likely be.

import { type DatasetName, datasetOf, isFinancial, metricNames } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { headingKey, nearest } from '../../messages/spelling.ts';
import { inPlainFormat, PLAIN_FORMAT, unsupportedYearForm } from '../yearForms.ts';
import { onOneLine } from './headerRow.ts';

export interface UnknownHeading {
  readonly text: string;
  /** Whether the cell holds a number, which its number format shows as this text: `2022E`. */
  readonly isFormatted: boolean;
}

/** The fault of a heading that names no column: a year in another form, or an unknown name with the nearest known one. */
export function unknownHeading(dataset: DatasetName, { text, isFormatted }: UnknownHeading): Diagnostic {
  const form = isFinancial(dataset) ? unsupportedYearForm(text) : undefined;
  if (form?.isHeading === true)
    return {
      problem: `column "${onOneLine(text)}" is headed by ${form.description}`,
      remedy: isFormatted ? inPlainFormat(form) : form.remedy,
      kind: `columns headed by ${form.description}`,
    };
  if (isFormatted)
    return {
      problem: `column "${text}" is headed by a number in the format of a date`,
      remedy: PLAIN_FORMAT,
      kind: 'columns headed by a number in the format of a date',
    };
  const known = [...datasetOf(dataset).dimensions, ...metricNames(dataset)];
  const near = metricWithWords(dataset, text) ?? nearest(text, known);
  return {
    problem: `column "${onOneLine(text)}" is neither a dimension nor a metric of ${dataset}`,
    remedy:
      near === undefined
        ? `rename it to one of: ${known.join(', ')}, or delete it`
        : `did you mean "${near}"?`,
    kind: `a column that is neither a dimension nor a metric of ${dataset}`,
  };
}

/** The metric that a heading names with words in brackets that state no unit, such as `GGR (local currency)`. */
export function metricWithWords(dataset: DatasetName, heading: string): string | undefined {
  const [, bare, words = ''] = /^(.*?)\s*[([]([^()[\]]*)[)\]]\s*$/u.exec(heading) ?? [];
  const isPlain = words.split(/\s+/).every((word) => NO_UNITS.has(word.toLowerCase()));
  if (bare === undefined || !isPlain) return undefined;
  return metricNames(dataset).find((name) => headingKey(name) === headingKey(bare));
}

const NO_UNITS: ReadonlySet<string> = new Set([
  'local',
  'currency',
  'reported',
  'nominal',
  'annual',
  'yearly',
  'gross',
  'net',
  'in',
  'value',
  'amount',
]);
