// Makes the OpenAPI document from the table of operations, the validators and the table of datasets.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import { type HeaderText, REQUEST_HEADERS, RESPONSE_HEADERS } from '../headerTexts.ts';
import { type Operation, TAGS } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operations.ts';
import type { OpenApiDocument } from './openApiTypes.ts';
import { withPortableSchemas } from './portableSchemas.ts';
import { queryOf } from './queryParameters.ts';
import { COMMON_RESPONSES, type RecordedAnswers, responsesOf } from './responses.ts';

/**
 * The OpenAPI document. `publicUrl` is the address of the server, without a slash at the end. `recorded` has the
 * answers that the document shows as examples.
 */
export function openApiDocument(
  publicUrl: string,
  recorded: RecordedAnswers = recordedAnswers(),
): OpenApiDocument {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Gambling data API', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [operation.path, { get: operationOf(operation, recorded) }]),
    ),
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key from an invite link.' },
      },
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).map(([name, header]) => [name, headerOf(header)]),
      ),
      responses: COMMON_RESPONSES,
    },
  } as unknown as ZodOpenApiObject;
  return withPortableSchemas(createDocument(document, { override: replaceByJson })) as OpenApiDocument;
}

const DESCRIPTION = `Gross gaming revenue, turnover, exchange rates and country indicators by year, country, product and channel.

Every path under \`/v1\` needs a key in the header \`x-api-key\` and takes GET, HEAD and OPTIONS. A parameter that the endpoint does not know is refused, never ignored. Every error is JSON. The header \`Link\` of a 400, 401, 404 or 429 leads to the section that explains it.`;

/** The recorded answers to the examples. `UPDATE_DOCS=1 npm test -- test/docs` records them from the sample data. */
const recordedAnswers = (): RecordedAnswers =>
  JSON.parse(readFileSync(new URL('../examples.json', import.meta.url), 'utf8'));

/** If a schema's metadata has `json`, replaces the schema with it and keeps only its description and examples. */
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

const headerOf = ({ description, example, schema, always }: HeaderText) => ({
  description,
  ...(always && { required: true }),
  schema,
  example: 'type' in schema && schema.type === 'integer' ? Number(example) : example,
});
