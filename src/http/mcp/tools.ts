// Defines the tools that assistants can call. Each tool calls endpoints of the API and adds notes to their answers.

import { toUSVString } from 'node:util';
import {
  type DatasetName,
  datasetOf,
  dimensionOf,
  isDatasetName,
  isFinancial,
} from '../../catalog/datasets.ts';
import { type ApiError, invalidParameters } from '../../errors.ts';
import { PARAMETER_RULES } from '../../query/parameters/parameterRules.ts';
import { noFieldErrors, unknownDataset } from '../../query/parameters/parameters.ts';
import { type ArgumentsSchema, argumentsSchema, MAX_ROWS } from './argumentsSchema.ts';
import type { EndpointAnswer, EndpointCall } from './callEndpoint.ts';

/** Calls an endpoint of the API and gives its answer. */
export type CallApi = (call: EndpointCall) => Promise<EndpointAnswer>;

export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ArgumentsSchema;
  /** @throws {ApiError} with the message of the API when the arguments are wrong. */
  answer(args: Arguments, callApi: CallApi): Promise<object>;
}

export type Arguments = Readonly<Record<string, unknown>>;

const { financials, values, totals, changes } = PARAMETER_RULES;

const ROWS = `At most ${MAX_ROWS} rows an answer; the note says how to get the rest.`;

export const TOOLS: Readonly<Record<string, Tool>> = {
  list_datasets: {
    title: 'List the datasets',
    description:
      'The datasets, their dimensions, metrics with units, years, sources, what must not be added up, and the retained snapshots. Call this first.',
    inputSchema: argumentsSchema(null),
    async answer(args, callApi) {
      const { dataset, ...rest } = args;
      const { query, headers } = queryOf(rest, []);
      if (dataset !== undefined && typeof dataset !== 'string') throw wrongArgument('dataset', ONE_TEXT);
      const path = dataset === undefined ? '/v1/datasets' : pathOfDataset(dataset);
      const { snapshotId, body } = await callApi({ path, query, headers });
      const datasets: { name: DatasetName }[] = dataset === undefined ? body.datasets : [body];
      const listed = await callApi({ path: '/v1/snapshots', query: '', headers: {} });
      return {
        snapshot: snapshotId,
        snapshots: listed.body.snapshots.slice(0, MAX_ROWS).map(snapshotSummary),
        datasets: datasets.map((one) => ({ ...one, must_not_be_added_up: warningsOf(one.name) })),
      };
    },
  },
  list_values: {
    title: 'List the values of dimensions',
    description: `The values of each dimension that have rows under the given filters, with their numbers of rows. Look up here how names are spelled. At most ${MAX_ROWS} values an answer.`,
    inputSchema: argumentsSchema(values),
    async answer(args, callApi) {
      const { body, context } = await answerWithContext('/v1/values', args, callApi);
      const names = Object.keys(body.values);
      const share = Math.floor(MAX_ROWS / Math.max(1, names.length));
      const long = names.filter((name) => body.values[name].length > share);
      const taken = names.reduce((sum, name) => sum + Math.min(share, body.values[name].length), 0);
      // Long lists share the room that short lists leave.
      const most = long.length === 0 ? share : share + Math.floor((MAX_ROWS - taken) / long.length);
      const listed = Object.fromEntries(names.map((name) => [name, body.values[name].slice(0, most)]));
      const leftOut = long.filter((name) => body.values[name].length > most);
      const missing = leftOut.map((name) => `${body.values[name].length - most} of ${name}`).join(', ');
      const note = `Values left out: ${missing}. Ask for one dimension alone, filter by region or another dimension, or use GET /v1/values, which lists all.`;
      return { ...context, meta: body.meta, values: listed, ...(leftOut.length > 0 && { note }) };
    },
  },
  query_rows: {
    title: 'Get rows',
    description: `Rows of a dataset, filtered: one number a row, with its unit. To add numbers up use query_totals, which refuses sums that would be wrong. ${ROWS}`,
    inputSchema: argumentsSchema(financials),
    async answer(args, callApi) {
      const path = isOfFinancial(args) ? '/v1/financials' : '/v1/reference';
      return pageOf(path, args, callApi, noteOnExport);
    },
  },
  query_totals: {
    title: 'Add up numbers',
    description: `Exact sums, grouped by the dimensions in by. A sum that would be wrong is refused, and the refusal says which dimension to name. ${ROWS}`,
    inputSchema: argumentsSchema(totals),
    answer: (args, callApi) => pageOf('/v1/totals', args, callApi, noteOnPages),
  },
  list_changes: {
    title: 'Compare two snapshots',
    description: `Rows that were added, removed or revised between two monthly snapshots, with the values before and after. ${ROWS}`,
    inputSchema: argumentsSchema(changes),
    answer: (args, callApi) => pageOf('/v1/changes', args, callApi, noteOnPages),
  },
  explain_query: {
    title: 'Explain a query as code',
    description:
      'The code that gives exactly the rows of query_rows with these arguments: SQL, curl, Python, polars, R, JavaScript.',
    inputSchema: argumentsSchema(financials),
    async answer(args, callApi) {
      const { body, context } = await answerWithContext('/v1/explain', args, callApi);
      return { ...context, ...body };
    },
  },
};

const snapshotSummary = ({
  id,
  published_at,
  current,
}: Record<'id' | 'published_at' | 'current', unknown>) => ({
  id,
  published_at,
  current,
});

const isOfFinancial = ({ dataset }: Arguments): boolean =>
  typeof dataset === 'string' && isDatasetName(dataset) && isFinancial(dataset);

/**
 * The arguments under the parameter names of an endpoint. For example, /v1/financials has `metric` in place of
 * `dataset`.
 *
 * @throws {ApiError} 400 for an argument `metric`, because it could name another dataset than `dataset`.
 */
function renamedFor(path: string, args: Arguments): Arguments {
  if (path !== '/v1/financials' && path !== '/v1/explain') return args;
  if (Object.hasOwn(args, 'metric')) throw wrongArgument('metric', NO_METRIC);
  if (!isOfFinancial(args)) return args;
  const { dataset, ...rest } = args;
  return { metric: dataset, ...rest };
}

const NO_METRIC = 'This tool has no such argument: name the dataset in dataset';

/** A page of an endpoint, with units, sources, warnings and a note on how to get further rows. */
async function pageOf(
  path: string,
  args: Arguments,
  callApi: CallApi,
  moreRows: MoreRowsNote,
): Promise<object> {
  const { body, context } = await answerWithContext(path, args, callApi);
  const { cursor, has_more } = body.pagination;
  const note = `These are not all rows. For the next ones call this tool again with the same arguments and cursor "${cursor}"; ${moreRows({ path, ...context })}.`;
  return { ...context, ...body, ...(has_more && { note }) };
}

/** The part of a note that says how to get more rows than the tool gives. */
type MoreRowsNote = (page: {
  readonly path: string;
  readonly dataset: string;
  readonly snapshot: string;
}) => string;

/** The note of pages of rows. With the header that it names, the file comes from the same snapshot. */
const noteOnExport: MoreRowsNote = ({ dataset, snapshot }) =>
  `for everything in one file use GET /v1/export/${dataset}.csv with the same filters and the header X-Snapshot: ${snapshot}`;

/** The note of pages of sums and changes, which cannot be exported as a file. */
const noteOnPages: MoreRowsNote = ({ path, snapshot }) =>
  `GET ${path} gives pages of up to 1,000, of this snapshot with the header X-Snapshot: ${snapshot}`;

/**
 * The answer of an endpoint, and the context that people need with its numbers: snapshot, units, sources and warnings.
 */
async function answerWithContext(path: string, args: Arguments, callApi: CallApi) {
  // The first call would accept a list with one dataset, but the path of the second call needs one text.
  if (Array.isArray(args.dataset)) throw wrongArgument('dataset', ONE_TEXT);
  const { query, headers } = queryOf(renamedFor(path, args), path === '/v1/explain' ? [] : ['limit']);
  const { snapshotId, body } = await callApi({
    path,
    query,
    headers: { ...headers, prefer: 'handling=strict' },
  });
  const name = args.dataset as DatasetName;
  const datasetAnswer = await callApi({
    path: `/v1/datasets/${name}`,
    query: '',
    headers: { 'x-snapshot': snapshotId },
  });
  const context = {
    snapshot: snapshotId,
    dataset: name,
    units: Object.fromEntries(
      datasetAnswer.body.metrics.map(({ name, unit }: { name: string; unit: string }) => [name, unit]),
    ),
    sources: datasetAnswer.body.sources,
    must_not_be_added_up: warningsOf(name),
  };
  return { body, context };
}

function warningsOf(name: DatasetName): string[] {
  const { dimensions, metrics } = datasetOf(name);
  const over = dimensions.flatMap((dimension) => {
    const reason = dimensionOf(dimension).notAdditive;
    return reason === undefined ? [] : [`over several values of ${dimension}: ${REASONS[reason]}`];
  });
  const rates = Object.entries(metrics).filter(([, metric]) => metric.addsUp !== true);
  return [
    ...over,
    ...rates.map(([metric]) => `${metric}, over anything: it is a rate or a level`),
    ...Object.entries(metrics)
      .filter(([, metric]) => metric.addsUp && metric.isStock)
      .map(([metric]) => `${metric} over several years: it is a level at one moment`),
  ];
}

const REASONS = {
  'each counts in full': 'each of them counts in full',
  'views of one year': 'a forecast and a reported value of one year are two views of it',
} as const;

/**
 * The path that describes one dataset.
 *
 * @throws {ApiError} 400 for an unknown name, with the same message as all endpoints.
 */
function pathOfDataset(name: string): string {
  if (isDatasetName(name)) return `/v1/datasets/${name}`;
  throw unknownDataset('dataset', name);
}

/** The most characters of a query string: the limit for the head of an HTTP request. */
const MAX_QUERY_CHARACTERS = 64 * 1024;

/**
 * Turns arguments into a query string and headers. It checks their types, and the endpoint checks the rest.
 *
 * @param limited the names of arguments that must be at most `MAX_ROWS`.
 */
function queryOf(args: Arguments, limited: readonly string[]) {
  const fieldErrors = noFieldErrors();
  const pairs: string[] = [];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    const texts = (Array.isArray(value) ? value : [value]).map(textOf);
    const known = texts.filter((text) => text !== null);
    if (known.length < texts.length) fieldErrors[name] = [WRONG_TYPE];
    else if (name === 'as_of') headers['x-snapshot'] = known.length === 1 ? (known[0] ?? '') : '';
    // An empty list would give no filter, and the answer would be about all rows. An empty `by` is right: it asks for
    // one sum.
    else if (texts.length === 0 && name !== 'by') fieldErrors[name] = [NO_VALUE];
    else if (limited.includes(name) && !known.every(isLimit))
      fieldErrors[name] = [`Expected a whole number from 1 to ${MAX_ROWS}`];
    else for (const text of known) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  }
  if (Object.keys(fieldErrors).length > 0) throw invalidParameters({ formErrors: [], fieldErrors }, []);
  const query = pairs.join('&');
  if (query.length <= MAX_QUERY_CHARACTERS) return { query, headers };
  throw invalidParameters({ formErrors: ['The arguments are too long: at most 64 KiB'], fieldErrors }, []);
}

const isLimit = (text: string): boolean =>
  /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_ROWS;

const WRONG_TYPE = 'Expected a text, a number, or a list of them';
const NO_VALUE = 'Expected at least one value; leave the argument out to select all';

const ONE_TEXT = 'Expected one text';

const wrongArgument = (name: string, problem: string): ApiError => {
  const fieldErrors = noFieldErrors();
  fieldErrors[name] = [problem];
  return invalidParameters({ formErrors: [], fieldErrors }, []);
};

/** A number or a text as text; null for anything else, and for a text with a lone surrogate. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && toUSVString(value) === value ? value : null;
}
