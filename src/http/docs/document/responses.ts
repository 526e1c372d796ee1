// The answers of an endpoint by status, for the OpenAPI document: schemas, headers and recorded examples.

import type { z } from 'zod';
import {
  type ApiError,
  invalidKey,
  missingKey,
  notFound,
  tooManyRequests,
  unavailable,
} from '../../../errors.ts';
import { publicError } from '../../server/send.ts';
import type { ResponseHeader } from '../headerTexts.ts';
import type { Example, Operation } from '../operations/operation.ts';
import { errorAnswer, limitedAnswer } from '../operations/schemas.ts';
import type { DocumentedExample } from './openApiTypes.ts';

/** An answer of a server with the sample data, as a test recorded it. */
export interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

/** Recorded answers by `exampleKey`. */
export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>;

/** The key of an example's answer among the recorded answers. */
export const exampleKey = ({ request, headers = {} }: Example): string =>
  [request, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(' · ');

/** The answers of one operation. `recorded` holds the bodies that are shown as examples. */
export function responsesOf(operation: Operation, recorded: RecordedAnswers): Record<string, object> {
  const { hasMetaHeader, isFile, isOpen, rules, requestHeaders, parts, others = {} } = operation;
  const contentOf = (status: string) => contentsOf(operation, status, recorded);
  const unchanged = headersOfUnchanged(operation);
  const headers = { ...unchanged, ...headersOfBody(operation) };
  const ok = {
    description: isFile ? 'The file.' : 'The answer.',
    headers: { ...headers, ...(hasMetaHeader && { 'X-Meta': headerRef('X-Meta') }) },
    content: contentOf('200'),
  };
  return {
    200: ok,
    ...(isFile && {
      206: {
        description: 'The part of the published file that `Range` asks for.',
        headers: { ...headers, 'Content-Range': headerRef('Content-Range') },
        content: { 'application/vnd.apache.parquet': BINARY },
      },
    }),
    ...(requestHeaders.includes('If-None-Match') && {
      304: {
        description: 'Nothing has changed since the answer with that ETag.',
        headers: unchanged,
      },
    }),
    ...(!isOpen && {
      400: {
        description:
          rules || requestHeaders.length > 0
            ? 'The request is wrong; the body says where.'
            : 'The endpoint takes no parameters.',
        headers: headerRefs([...ERROR_HEADERS, ...preferenceHeader(operation), ...RATE_LIMITS]),
        content: contentOf('400'),
      },
    }),
    ...(!isOpen && { 401: responseRef('Unauthorized') }),
    ...(parts && { 404: responseRef('NotFound') }),
    ...(isFile && { 412: responseRef('PreconditionFailed') }),
    ...(isFile && { 416: responseRef('RangeNotSatisfiable') }),
    ...(!isOpen && { 429: responseRef('TooManyRequests') }),
    431: responseRef('HeadTooLarge'),
    500: responseRef('Unexpected'),
    ...(!isOpen && { 503: responseRef('Unavailable') }),
    ...Object.fromEntries(
      Object.entries(others).map(([status, { description, schema }]) => [
        status,
        { description, headers, content: { 'application/json': { schema } } },
      ]),
    ),
  };
}

const headerRef = (name: ResponseHeader) => ({ $ref: `#/components/headers/${name}` });

const RATE_LIMITS: readonly ResponseHeader[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

const headerRefs = (names: readonly ResponseHeader[]) =>
  Object.fromEntries(names.map((name) => [name === 'Help' ? 'Link' : name, headerRef(name)]));

/** The headers of a 304. The 200 has them too, and so has the 206 of a file. */
function headersOfUnchanged(operation: Operation) {
  const { isOpen, requestHeaders, path } = operation;
  const names: ResponseHeader[] = ['X-Request-Id', 'Vary', 'Cache-Control'];
  if (requestHeaders.includes('If-None-Match')) names.push('ETag');
  if (!isOpen) names.push('X-Snapshot');
  names.push(...preferenceHeader(operation));
  if (path.startsWith('/v1')) names.push(...RATE_LIMITS);
  return headerRefs(names);
}

function headersOfBody({ answers, isFile }: Operation) {
  if (isFile) return headerRefs(['Content-Disposition', 'Accept-Ranges', 'Repr-Digest']);
  return headerRefs(Object.keys(answers).length > 1 ? ['Link'] : []);
}

const preferenceHeader = ({ requestHeaders }: Operation): readonly ResponseHeader[] =>
  requestHeaders.includes('Prefer') ? ['Preference-Applied'] : [];

const responseRef = (name: keyof typeof COMMON_RESPONSES) => ({ $ref: `#/components/responses/${name}` });

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** The schemas of the bodies of one status by media type, with the examples that were answered with this status. */
function contentsOf(operation: Operation, status: string, recorded: RecordedAnswers): Record<string, object> {
  const { answers, examples } = operation;
  const content: Record<string, { schema: unknown; examples?: Record<string, DocumentedExample> }> = {};
  if (status === '200') {
    for (const [type, schema] of Object.entries(answers))
      content[type] = { schema: schema ?? (type.startsWith('text/') ? { type: 'string' } : BINARY.schema) };
  } else content['application/json'] = { schema: errorAnswer };
  for (const example of examples) {
    const answer = recorded[exampleKey(example)];
    const target = answer && String(answer.status) === status ? content[answer.type] : undefined;
    if (!answer || !target) continue;
    const name = example.summary.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    target.examples = { ...target.examples, [name]: { summary: example.summary, value: answer.body } };
  }
  return content;
}

const ERROR_HEADERS: readonly ResponseHeader[] = ['X-Request-Id', 'Vary', 'Cache-Control', 'Help'];

/** An error answer in the document. Its examples come from the functions that make the real errors. */
const errorResponse = (
  description: string,
  headers: readonly ResponseHeader[],
  errors: Readonly<Record<string, ApiError>>,
  schema: z.ZodType = errorAnswer,
) => ({
  description,
  headers: headerRefs(headers),
  content: {
    'application/json': {
      schema,
      examples: Object.fromEntries(
        Object.entries(errors).map(([name, error]) => [
          name.replaceAll(' ', '-'),
          { summary: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, value: error.toJSON() },
        ]),
      ),
    },
  },
});

const PLAIN_HEADERS = ERROR_HEADERS.filter((name) => name !== 'Help');

export const COMMON_RESPONSES = {
  Unauthorized: errorResponse(
    'The key is missing, malformed, unknown, expired or revoked.',
    [...ERROR_HEADERS, ...RATE_LIMITS],
    { 'a missing key': missingKey(), 'an invalid key': invalidKey() },
  ),
  NotFound: errorResponse(
    'There is no such path, or not with that method.',
    [...ERROR_HEADERS, ...RATE_LIMITS],
    {
      'an unknown name': notFound(),
    },
  ),
  TooManyRequests: errorResponse(
    'A rate limit is used up.',
    [...ERROR_HEADERS, ...RATE_LIMITS, 'Retry-After'],
    { 'a limit that is used up': tooManyRequests(17) },
    limitedAnswer,
  ),
  PreconditionFailed: errorResponse(
    'The published file is not the one that `If-Match` names.',
    [...PLAIN_HEADERS, ...RATE_LIMITS],
    {},
  ),
  RangeNotSatisfiable: errorResponse(
    'The range lies outside the file.',
    [...PLAIN_HEADERS, 'Content-Range', ...RATE_LIMITS],
    {},
  ),
  HeadTooLarge: errorResponse('Request line and headers exceed 64 KiB together.', PLAIN_HEADERS, {}),
  Unexpected: errorResponse('Unexpected server error.', PLAIN_HEADERS, {
    'a fault': publicError(new Error()),
  }),
  Unavailable: errorResponse(
    'There is no snapshot, the server is busy, or Redis or a query took too long.',
    [...PLAIN_HEADERS, 'Retry-After'],
    { 'a busy server': unavailable() },
  ),
};
