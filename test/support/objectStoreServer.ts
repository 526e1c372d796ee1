// A small S3 server for tests, in memory: signatures, conditional writes, listings, and the faults of real ones.

import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface TestStore {
  /** AWS_ENDPOINT_URL. */
  readonly endpoint: string;
  /** The objects of the bucket `snapshots`, by name; a test may change them. */
  readonly objects: Map<string, Buffer>;
  /** The next requests fail so: a status, or a connection that is cut in the middle of the answer. */
  readonly faults: (number | 'cut')[];
  close(): Promise<void>;
}

export const STORE_LOGIN = { AWS_ACCESS_KEY_ID: 'test-id', AWS_SECRET_ACCESS_KEY: 'test-secret' };
const BUCKET = 'snapshots';

export async function startStore(): Promise<TestStore> {
  const objects = new Map<string, Buffer>();
  const faults: (number | 'cut')[] = [];
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const url = new URL(request.url ?? '', 'http://store');
    const [, bucket = '', name = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const fail = (status: number, code: string) =>
      response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    const fault = faults.shift();
    if (fault === 'cut') {
      response.writeHead(200, { 'Content-Length': 1000 }).write('part');
      return void setTimeout(() => response.destroy(), 20);
    }
    if (fault !== undefined) return void fail(fault, 'InternalError');
    if (!isSigned(request, url)) return void fail(403, 'SignatureDoesNotMatch');
    if (bucket !== BUCKET) return void fail(404, 'NoSuchBucket');
    if (request.method === 'PUT') {
      const sha256 = createHash('sha256').update(body).digest('hex');
      if (request.headers['x-amz-content-sha256'] !== sha256)
        return void fail(400, 'XAmzContentSHA256Mismatch');
      if (request.headers['if-none-match'] === '*' && objects.has(name))
        return void fail(412, 'PreconditionFailed');
      objects.set(name, body);
      return void response.writeHead(200, { ETag: `"${sha256}"` }).end();
    }
    if (url.searchParams.has('list-type'))
      return void response.writeHead(200).end(listing(objects, url.searchParams));
    const content = objects.get(name);
    if (content === undefined) return void fail(404, 'NoSuchKey');
    response.writeHead(200, { 'Content-Length': content.length }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Two folders a page, so that clients must ask on. */
function listing(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const folders = new Set(
    [...objects.keys()]
      .filter((name) => name.startsWith(prefix) && name.slice(prefix.length).includes('/'))
      .map((name) => `${prefix}${name.slice(prefix.length).split('/')[0]}/`),
  );
  const all = [...folders].sort();
  const from = Number(query.get('continuation-token') ?? 0);
  const more = from + 2 < all.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  const found = all
    .slice(from, from + 2)
    .map((name) => `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`);
  return `<?xml version="1.0"?><ListBucketResult>${found.join('')}${more}</ListBucketResult>`;
}

/** Signature version 4, computed anew from the request. */
function isSigned({ method = '', headers }: http.IncomingMessage, url: URL): boolean {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/;
  const [, id, day = '', region = '', names = '', given] = parts.exec(headers.authorization ?? '') ?? [];
  if (id !== STORE_LOGIN.AWS_ACCESS_KEY_ID) return false;
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const escaped = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
  const signed = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, url.pathname, query, signed, names, headers['x-amz-content-sha256']].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/s3/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${STORE_LOGIN.AWS_SECRET_ACCESS_KEY}`, day), region),
  );
  return createHmac('sha256', key).update(text).digest('hex') === given;
}
