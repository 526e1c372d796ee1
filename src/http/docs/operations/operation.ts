// The description of an endpoint, as data.

import type { z } from 'zod';
import type { DatasetName } from '../../../catalog/datasets.ts';
import type { ParameterRules } from '../../../query/parameters/parameters.ts';
import { PAGE_REPRESENTATIONS } from '../../api/negotiate.ts';
import type { RequestHeader } from '../headerTexts.ts';

export interface Operation {
  /** The path as in the OpenAPI document, where `{name}` stands for a part. The method is always GET. */
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Paragraphs; text between backticks is code. */
  readonly description: string;
  /** The rules of the query's parameters. Without rules, the endpoint takes no parameters. */
  readonly rules?: readonly ParameterRules[];
  /** The datasets that the endpoint serves; left out when its rules determine them. */
  readonly datasets?: readonly DatasetName[];
  /** The possible values of each `{name}` in the path. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
  readonly requestHeaders: readonly RequestHeader[];
  /** The schema of the answer by media type; null if the media type has no schema. */
  readonly answers: Readonly<Record<string, z.ZodType | null>>;
  /** The endpoint sends a file. It also answers 206, 412 and 416, and has the headers of files. */
  readonly isFile?: true;
  readonly hasMetaHeader?: true;
  /** Answers other than 200 that have a schema of their own, by status. The common errors are not among them. */
  readonly others?: Readonly<Record<number, { readonly description: string; readonly schema: z.ZodType }>>;
  /** The endpoint needs no key. */
  readonly isOpen?: true;
  readonly examples: readonly Example[];
}

/** A request to a server with the sample data. The document shows its answer. */
export interface Example {
  readonly summary: string;
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fields of the answer that differ from request to request. */
  readonly changing?: readonly string[];
}

export const TAGS = {
  Rows: 'Rows of the datasets, page by page.',
  Figures: 'Sums and counts of many rows, and programs that fetch them.',
  Metadata: 'The datasets and the snapshots.',
  Files: 'Whole datasets and selections as files.',
  Service: 'The service itself.',
} as const;

export type Tag = keyof typeof TAGS;

/**
 * The request headers of three kinds of endpoints: `CONDITIONAL` if answers have an ETag, `AS_OF` if they also come from a
 * snapshot, and `FILTERED` if they can also be filtered.
 */
export const CONDITIONAL = ['If-None-Match'] as const;
export const AS_OF = ['X-Snapshot', ...CONDITIONAL] as const;
export const FILTERED = ['X-Snapshot', 'Prefer', ...CONDITIONAL] as const;

/** The content of an answer that has only a JSON form. */
export const jsonAnswer = (schema: z.ZodType) => ({ 'application/json': schema });

/** The media types of a page, the default first. */
const PAGE_TYPES = PAGE_REPRESENTATIONS.map(({ contentType }) => contentType.split(';')[0] ?? '');

/** The media types of a page, without the default. */
export const OTHER_PAGE_TYPES = PAGE_TYPES.slice(1).map((type, i, { length }) => ({
  type,
  /** The text between this type and the one before it in a list like `a, b or c`. */
  separator: i === 0 ? '' : i === length - 1 ? ' or ' : ', ',
}));

/** The answers of an endpoint with pages. Only JSON has a schema. */
export const pageAnswers = (schema: z.ZodType) =>
  Object.fromEntries(PAGE_TYPES.map((type, i) => [type, i === 0 ? schema : null]));
