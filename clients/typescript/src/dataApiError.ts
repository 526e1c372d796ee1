// The error of a request that the server refused or could not answer.

import type { components } from './schema.ts';

/** The body of a refusal. `details` has messages by parameter. */
export type Refusal = components['schemas']['Error'];

/** The server refused a request, or could not answer it. */
export class DataApiError extends Error {
  readonly status: number;
  /** The address of the page that explains this error; null when the server names none. */
  readonly help: string | null;

  /** @param refusal The `error` of an answer. A proxy may have sent a text instead, or nothing. */
  constructor(refusal: Refusal | string | null | undefined, response: Response) {
    super(wordsOf(refusal) || response.statusText.trim() || `HTTP status ${response.status}`);
    this.name = 'DataApiError';
    this.status = response.status;
    const [, page] = /<([^>]+)>; rel="help"/.exec(response.headers.get('link') ?? '') ?? [];
    this.help =
      page === undefined ? null : URL.canParse(response.url) ? new URL(page, response.url).href : page;
  }
}

/** The message: the error and the messages of its parameters in one line, or a text unchanged; '' for anything else. */
function wordsOf(refusal: Refusal | string | null | undefined): string {
  if (typeof refusal === 'string') return refusal;
  if (typeof refusal?.error !== 'string') return '';
  const { error, details } = refusal;
  const fields = Object.entries(details?.fieldErrors ?? {});
  const fieldMessages = fields.flatMap(([name, messages]) =>
    listOf(messages).map((message) => `${name}: ${message}`),
  );
  return [error, ...listOf(details?.formErrors), ...fieldMessages].join('; ');
}

/** Returns a list unchanged, and an empty list for anything else, because a proxy's `details` may have any form. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
