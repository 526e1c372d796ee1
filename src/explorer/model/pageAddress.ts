// Turns a question into an address such as `/?dataset=ggr&country=Malta&view=table`, and an address into a question.

import { CHART_KINDS, DEFAULT_QUESTION, type Page, type Question, VIEWS } from './question.ts';

/**
 * The address of a question below the root of the explorer, without a slash at the start. It contains only the parts
 * that differ from `DEFAULT_QUESTION`.
 */
export function writePageAddress(question: Question): string {
  const { page, filters } = question;
  const pairs: [string, string][] = [];
  const write = (name: string, value: string, usual: string) => {
    if (value !== usual) pairs.push([name, value]);
  };
  write('dataset', question.dataset, DEFAULT_QUESTION.dataset);
  write('metric', question.metric, '');
  for (const [name, values] of Object.entries(filters)) for (const value of values) pairs.push([name, value]);
  for (const name of question.unfilteredDimensions) pairs.push(['all', name]);
  write('from', question.firstYear === null ? '' : String(question.firstYear), '');
  write('to', question.lastYear === null ? '' : String(question.lastYear), '');
  write('by', question.by, '');
  write('view', question.view, DEFAULT_QUESTION.view);
  write('chart', question.chartKind, '');
  write('scale', question.axisScale, DEFAULT_QUESTION.axisScale);
  write('scales', question.panelScales, '');
  write('as-of', question.asOf, '');
  write('since', question.since, '');
  const search = new URLSearchParams(pairs).toString();
  const path = page.kind === 'explore' ? '' : `${page.kind}/${encodeURIComponent(page.name)}`;
  return search === '' ? path : `${path}?${search}`;
}

export interface ParsedPageAddress {
  readonly question: Question;
  /** The parameters that are not understood, as `name=value`. */
  readonly ignored: readonly string[];
}

/**
 * Reads an address. Each parameter that the explorer does not define is a filter. `selection.ts` checks later whether the
 * dataset has such a dimension. The values of filters and the names of pages become NFC, as they are in answers of the
 * API.
 *
 * @param path the path below the root of the explorer, without a slash at the start.
 */
export function readPageAddress(path: string, search: string): ParsedPageAddress {
  const ignored: string[] = [];
  const filters = new Map<string, string[]>();
  const unfilteredDimensions: string[] = [];
  const given = new Map<string, string>();
  let question: Question = { ...DEFAULT_QUESTION, page: readPage(path) };
  for (const [name, value] of new URLSearchParams(search)) {
    const read = READERS.get(name);
    if (name === 'all') add(unfilteredDimensions, value);
    else if (read === undefined) add(filtersOf(filters, name), value.normalize('NFC'));
    else {
      const change = read(value);
      // If a parameter has several different values, only the first one counts.
      if (change === null || (given.get(name) ?? value) !== value) ignored.push(`${name}=${value}`);
      else {
        given.set(name, value);
        question = { ...question, ...change };
      }
    }
  }
  const { firstYear, lastYear } = question;
  if (firstYear !== null && lastYear !== null && firstYear > lastYear) {
    ignored.push(`from=${firstYear}`, `to=${lastYear}`);
    question = { ...question, firstYear: null, lastYear: null };
  }
  for (const name of filters.keys())
    if (unfilteredDimensions.includes(name))
      unfilteredDimensions.splice(unfilteredDimensions.indexOf(name), 1);
  return { question: { ...question, filters: Object.fromEntries(filters), unfilteredDimensions }, ignored };
}

const filtersOf = (filters: Map<string, string[]>, name: string): string[] => {
  const values = filters.get(name) ?? [];
  filters.set(name, values);
  return values;
};

function add(values: string[], value: string): void {
  if (!values.includes(value)) values.push(value);
}

function readPage(path: string): Page {
  const [, kind, name] = /^(country|product)\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined) return { kind: 'explore' };
  return { kind: kind === 'country' ? 'country' : 'product', name: decoded(name).normalize('NFC') };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Reader = (value: string) => Partial<Question> | null;

const oneOf =
  <Value extends string>(values: readonly Value[], change: (value: Value) => Partial<Question>): Reader =>
  (text) => {
    const value = values.find((known) => known === text);
    return value === undefined ? null : change(value);
  };

const year =
  (change: (year: number) => Partial<Question>): Reader =>
  (text) =>
    /^[1-9][0-9]{3}$/.test(text) ? change(Number(text)) : null;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['dataset', (dataset) => (dataset === '' ? null : { dataset })],
  ['metric', (metric) => ({ metric })],
  ['from', year((firstYear) => ({ firstYear }))],
  ['to', year((lastYear) => ({ lastYear }))],
  ['by', (by) => ({ by })],
  ['view', oneOf(VIEWS, (view) => ({ view }))],
  ['chart', oneOf(CHART_KINDS, (chartKind) => ({ chartKind }))],
  ['scale', oneOf(['linear', 'log'], (axisScale) => ({ axisScale }))],
  ['scales', oneOf(['own', 'shared'], (panelScales) => ({ panelScales }))],
  ['as-of', (asOf) => ({ asOf })],
  ['since', (since) => ({ since })],
]);
