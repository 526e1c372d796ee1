// The description of an endpoint, as data.

import type { z } from 'zod';
import type { DatasetName } from '../../../catalog/datasets.ts';
import type { ParameterRules } from '../../../query/parameters.ts';
import { PAGE_REPRESENTATIONS } from '../../api/negotiate.ts';
import type { RequestHeader } from '../headers.ts';

export interface Operation {
  /** As in the document: `{name}` stands for a part of the path. */
  readonly path: string;
  readonly method: 'get' | 'post';
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Paragraphs; text between backticks is code. */
  readonly description: string;
  /** The parameters of the query; without them the endpoint takes none. */
  readonly rules?: readonly ParameterRules[];
  /** The datasets it serves, where the rules allow more. */
  readonly datasets?: readonly DatasetName[];
  /** The values of the parts of the path. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
  readonly requestHeaders: readonly RequestHeader[];
  /** Media type → schema of the answer; null for a file. */
  readonly answers: Readonly<Record<string, z.ZodType | null>>;
  /** Has the answers and headers of a file: 206, 304 and 416. */
  readonly isFile?: true;
  /** The answer has `X-Meta`. */
  readonly hasMetaHeader?: true;
  /** Answers with a status other than 200 that are no errors. */
  readonly others?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
  /** Answers without a key. */
  readonly isOpen?: true;
  readonly examples: readonly Example[];
}

/** A request to the sample. The document shows its answer. */
export interface Example {
  readonly summary: string;
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the answer that change from request to request. */
  readonly changing?: readonly string[];
}

export const TAGS = {
  Rows: 'Rows of the datasets, page by page.',
  Figures: 'What can be said of many rows at once.',
  Metadata: 'What there is, and what it means.',
  Files: 'Whole datasets and selections as files.',
  Service: 'The service itself.',
} as const;

export type Tag = keyof typeof TAGS;

export const CONDITIONAL = ['If-None-Match'] as const;
export const AS_OF = ['X-Snapshot', ...CONDITIONAL] as const;
export const FILTERED = ['X-Snapshot', 'Prefer', ...CONDITIONAL] as const;

export const JSON_ONLY = (schema: z.ZodType) => ({ 'application/json': schema });

/** The media types of a page, the default first. */
const PAGE_TYPES = PAGE_REPRESENTATIONS.map(({ contentType }) => contentType.split(';')[0] ?? '');

/** The media types of a page besides the default. */
export const OTHER_PAGE_TYPES = PAGE_TYPES.slice(1).map((type, i, { length }) => ({
  type,
  /** What separates it from the one before it, as in `a, b or c`. */
  separator: i === 0 ? '' : i === length - 1 ? ' or ' : ', ',
}));

/** The answers of an endpoint with pages; only JSON has a schema. */
export const pageAnswers = (schema: z.ZodType) =>
  Object.fromEntries(PAGE_TYPES.map((type, i) => [type, i === 0 ? schema : null]));
