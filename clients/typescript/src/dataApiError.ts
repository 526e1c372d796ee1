// The error of a request that the server refused or could not answer.

import type { components } from './schema.ts';

/** What the server says of a refusal; `details` names the parameters. */
export type Refusal = components['schemas']['Error'];

/** The server refused a request, or could not answer it. */
export class DataApiError extends Error {
  readonly status: number;
  /** The address of the page that explains this very case; null when the server names none. */
  readonly help: string | null;

  /** @param refusal The `error` of an answer. A proxy may have sent anything else instead, or nothing. */
  constructor(refusal: Refusal | string | null | undefined, response: Response) {
    super(wordsOf(refusal) || response.statusText.trim() || `HTTP status ${response.status}`);
    this.name = 'DataApiError';
    this.status = response.status;
    const [, page] = /<([^>]+)>; rel="help"/.exec(response.headers.get('link') ?? '') ?? [];
    this.help =
      page === undefined ? null : URL.canParse(response.url) ? new URL(page, response.url).href : page;
  }
}

/** The error and what is wrong with each parameter, in one line; a text as it is; empty for anything else. */
function wordsOf(refusal: Refusal | string | null | undefined): string {
  if (typeof refusal === 'string') return refusal;
  if (typeof refusal?.error !== 'string') return '';
  const { error, details } = refusal;
  const fields = Object.entries(details?.fieldErrors ?? {});
  const told = fields.flatMap(([name, messages]) => listOf(messages).map((message) => `${name}: ${message}`));
  return [error, ...listOf(details?.formErrors), ...told].join('; ');
}

/** Returns a list unchanged, and an empty list for anything else, because a proxy's `details` may have any form. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
