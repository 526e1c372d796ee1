// Lists the objects or folders of an S3-compatible store, page by page. A listing that is cut or endless is an error.

import type { S3Client } from './s3Client.ts';

/** What to list below a prefix: only the folders directly below it, or all objects. */
export type ListedKind = 'folders' | 'objects';

/**
 * The names below a prefix, without the prefix, sorted.
 *
 * @param newSignal gives the signal that ends the request of one page.
 * @throws {StoreFailed} when a page cannot be read, and when the listing is cut or endless.
 */
export async function listNames(
  client: S3Client,
  prefix: string,
  kind: ListedKind,
  newSignal: () => AbortSignal,
): Promise<string[]> {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let token: string | null = ''; token !== null; ) {
    seen.add(token);
    const response = await client.request(queryOf(prefix, kind, token), { signal: newSignal() }, [200]);
    const page = (await client.contentOf(response, LISTING_BYTES)).toString();
    const next = nextTokenOf(page);
    // An incomplete list would make snapshots look absent.
    const isCut = !page.includes('</ListBucketResult>') || (next === null && IS_TRUNCATED.test(page));
    const isEndless = next !== null && (seen.has(next) || seen.size === MAX_PAGES);
    if (isCut || isEndless) throw client.unexpectedAnswer('a complete listing');
    for (const [, name = ''] of page.matchAll(TAGS[kind])) names.push(name.slice(prefix.length));
    token = next;
  }
  return names.sort();
}

/** The most bytes of a page. A page has at most 1,000 names of at most 1 KB each. */
const LISTING_BYTES = 16e6;

/** A listing with more pages counts as endless. */
const MAX_PAGES = 10_000;

const IS_TRUNCATED = /<IsTruncated>\s*true\s*</;

const TAGS: Readonly<Record<ListedKind, RegExp>> = {
  folders: /<CommonPrefixes><Prefix>([^<]*)\/<\/Prefix>/g,
  objects: /<Key>([^<]*)<\/Key>/g,
};

/** The query of one page. Spaces are written as %20, because signatures are computed over that form. */
function queryOf(prefix: string, listed: ListedKind, token: string): string {
  const search = new URLSearchParams({
    'list-type': '2',
    ...(listed === 'folders' && { delimiter: '/' }),
    prefix,
  });
  if (token !== '') search.set('continuation-token', token);
  return `?${search.toString().replaceAll('+', '%20')}`;
}

/** The token of the next page; null after the last one. */
const nextTokenOf = (page: string): string | null =>
  /<NextContinuationToken>([^<]*)</.exec(page)?.[1] || null;
