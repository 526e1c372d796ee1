// Makes the OpenAPI document from the table of operations, the validators and the table of datasets.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import {
  DATASET_NAMES,
  type DatasetName,
  DIMENSION_NAMES,
  type DimensionName,
  datasetOf,
  dimensionOf,
} from '../../catalog/datasets.ts';
import {
  type ApiError,
  invalidKey,
  missingKey,
  notFound,
  tooManyRequests,
  unavailable,
} from '../../errors.ts';
import { publicError } from '../server/send.ts';
import { type HeaderText, REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader } from './headers.ts';
import { type Example, OPERATIONS, type Operation, TAGS } from './operations.ts';
import { errorAnswer, limitedAnswer } from './schemas.ts';

/** The parts of a document that the pages read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface DocumentedParameter {
  readonly in: 'query' | 'path' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema?: JsonSchema; readonly examples?: Readonly<Record<string, DocumentedExample>> }
    >
  >;
}

export interface DocumentedExample {
  readonly summary: string;
  readonly value: unknown;
}

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** An answer of the sample, as a test recorded it. */
export interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

/** Recorded answers by `exampleKey`. */
export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>;

/** Names an example's request in the recorded answers. */
export const exampleKey = ({ request, headers = {} }: Example): string =>
  [request, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(' · ');

/** `publicUrl` is the address of the server, without a slash at the end. */
export function openApiDocument(
  publicUrl: string,
  recorded: RecordedAnswers = recordedAnswers(),
): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: operationOf(operation, recorded),
    };
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Gambling data API', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key from an invite link.' },
      },
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).map(([name, header]) => [name, headerOf(header)]),
      ),
      responses: SHARED_RESPONSES,
    },
  } as unknown as ZodOpenApiObject;
  return createDocument(document, { override: replaceByJson }) as unknown as OpenApiDocument;
}

const DESCRIPTION = `Gross gaming revenue, turnover, exchange rates and country indicators by year, country, product and channel.

Every path under \`/v1\` needs a key in the header \`x-api-key\` and takes GET, HEAD and OPTIONS. A parameter that the endpoint does not know is refused, never ignored. Every error is JSON, and its header \`Link\` leads to the section that explains it.`;

/** Answers of the sample. \`UPDATE_DOCS=1 npm test -- test/docs\` records them. */
const recordedAnswers = (): RecordedAnswers =>
  JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8'));

/** A schema whose metadata has \`json\` stands in the document as that. */
function replaceByJson({ jsonSchema }: { jsonSchema: object }): void {
  const schema = jsonSchema as Record<string, unknown>;
  if (schema.json === undefined) return;
  const { json, description, examples } = schema;
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(
    schema,
    json,
    description !== undefined && { description },
    examples !== undefined && { examples },
  );
}

function operationOf(operation: Operation, recorded: RecordedAnswers): object {
  const { id, tag, summary, description, isOpen = false } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(isOpen && { security: [] }),
    requestParams: {
      ...(operation.parts && { path: partsOf(operation.parts) }),
      ...(operation.rules && { query: queryOf(operation) }),
      ...(operation.requestHeaders.length > 0 && { header: headersOf(operation) }),
    },
    responses: responsesOf(operation, recorded),
  };
}

const partsOf = (parts: Readonly<Record<string, readonly string[]>>) =>
  z.object(Object.fromEntries(Object.entries(parts).map(([name, values]) => [name, z.enum(values)])));

const headersOf = ({ requestHeaders }: Operation) =>
  z.object(
    Object.fromEntries(
      requestHeaders.map((name) => {
        const { description, example } = REQUEST_HEADERS[name];
        return [
          name,
          z
            .string()
            .optional()
            .meta({ description, examples: [example] }),
        ];
      }),
    ),
  );

/** The parameters of the query: those of the rules, then the dimensions that are no parameter of their own. */
function queryOf({ rules = [], datasets, parts = {} }: Operation): z.ZodObject {
  const served = datasets ?? DATASET_NAMES.filter((name) => rules.some(({ serves }) => serves(name)));
  const dimensions = DIMENSION_NAMES.filter((dimension) =>
    served.some((name) => datasetOf(name).dimensions.includes(dimension)),
  );
  const shape: Record<string, z.ZodType> = {};
  for (const { selector, serves, shape: own, lists } of rules) {
    for (const [name, schema] of Object.entries(own.shape as Record<string, z.ZodType>)) {
      if (name === 'year' || shape[name] || name in parts) continue;
      if (lists?.includes(name) && name !== 'change') shape[name] = namesOf(schema, dimensions);
      else if (name !== selector) shape[name] = schema;
      else shape[name] = selectorOf(schema, served.filter(serves), rules.length > 1);
    }
  }
  const { limit, cursor, ...first } = shape;
  return z.object({
    ...first,
    ...Object.fromEntries(dimensions.map((name) => [name, filterOf(name, served)])),
    ...(limit && { limit }),
    ...(cursor && { cursor }),
  });
}

function selectorOf(schema: z.ZodType, names: readonly DatasetName[], isOneOfSeveral: boolean): z.ZodType {
  const selector = z.enum(names);
  const description = schema.meta()?.description ?? '';
  return isOneOfSeveral
    ? selector.optional().meta({ description: `${description} Either \`metric\` or \`dataset\`.` })
    : selector.meta({ description });
}

const namesOf = (schema: z.ZodType, names: readonly string[]): z.ZodType =>
  z
    .array(z.enum(names))
    .optional()
    .meta({ description: schema.meta()?.description ?? '' });

function filterOf(name: DimensionName, served: readonly DatasetName[]): z.ZodType {
  const { description, type } = dimensionOf(name);
  const having = served.filter((dataset) => datasetOf(dataset).dimensions.includes(name));
  const only =
    having.length < served.length ? ` Of ${having.map((dataset) => `\`${dataset}\``).join(', ')}.` : '';
  const value = type === 'integer' ? z.string().regex(/^-?[0-9]+$/) : z.string();
  return z
    .array(value)
    .optional()
    .meta({ description: `${description}.${only}` });
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

function successHeaders({ answers, isFile, isOpen, requestHeaders, path }: Operation) {
  const own: ResponseHeader[] = ['X-Request-Id', 'Vary', 'Cache-Control'];
  if (requestHeaders.includes('If-None-Match')) own.push('ETag');
  if (!isOpen) own.push('X-Snapshot');
  if (requestHeaders.includes('Prefer')) own.push('Preference-Applied');
  if (Object.keys(answers).length > 1 && !isFile) own.push('Link');
  if (isFile) own.push('Content-Disposition', 'Accept-Ranges', 'Repr-Digest');
  if (path.startsWith('/v1')) own.push(...RATE_LIMITS);
  return headerRefs(own);
}

function responsesOf(operation: Operation, recorded: RecordedAnswers): Record<string, object> {
  const { isFile, isOpen, rules, requestHeaders, parts, others = {} } = operation;
  const contentOf = (status: string) => contentsOf(operation, status, recorded);
  const headers = successHeaders(operation);
  const ok = {
    description: isFile ? 'The file.' : 'The answer.',
    headers,
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
      304: { description: 'Nothing has changed since the answer with that ETag.', headers },
    }),
    ...(!isOpen && {
      400: {
        description:
          rules || requestHeaders.length > 0
            ? 'The request is wrong; the body says where.'
            : 'The endpoint takes no parameters.',
        headers: headerRefs([...ERROR_HEADERS, ...RATE_LIMITS]),
        content: contentOf('400'),
      },
    }),
    ...(!isOpen && { 401: responseRef('Unauthorized') }),
    ...(parts && { 404: responseRef('NotFound') }),
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

const responseRef = (name: keyof typeof SHARED_RESPONSES) => ({ $ref: `#/components/responses/${name}` });

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** The bodies of one status, with the examples that have it. */
function contentsOf(operation: Operation, status: string, recorded: RecordedAnswers): Record<string, object> {
  const { answers, examples } = operation;
  const content: Record<string, { schema: unknown; examples?: Record<string, DocumentedExample> }> = {};
  if (status === '200') {
    for (const [type, schema] of Object.entries(answers))
      content[type] = { schema: schema ?? (type === 'text/csv' ? { type: 'string' } : BINARY.schema) };
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

const headerOf = ({ description, example, schema, always }: HeaderText) => ({
  description,
  ...(always && { required: true }),
  schema,
  example: 'type' in schema && schema.type === 'integer' ? Number(example) : example,
});

const ERROR_HEADERS: readonly ResponseHeader[] = ['X-Request-Id', 'Vary', 'Cache-Control', 'Help'];

/** The examples are made by the same functions as the answers. */
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

const SHARED_RESPONSES = {
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
    'No snapshot, no room or no answer in time.',
    [...PLAIN_HEADERS, 'Retry-After'],
    { 'a busy server': unavailable() },
  ),
};
