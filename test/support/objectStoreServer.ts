// A small S3 server in memory for tests: signatures, conditional requests, ranges, listings, and faults of real stores.

import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

export interface TestStore {
  /** The value for `AWS_ENDPOINT_URL`. */
  readonly endpoint: string;
  /** The objects of the bucket `snapshots`, by name; a test may change them. */
  readonly objects: Map<string, Buffer>;
  /** The faults of the next requests, in order. */
  readonly faults: Fault[];
  /** `METHOD name` of every request. */
  readonly requests: string[];
  /** `METHOD name` of every request that was answered 304. */
  readonly unchanged: string[];
  /** Is called with `METHOD name` before a request is answered. It may throw a fault. */
  before: (request: string) => void | Promise<void>;
  /** How far the store's clock is ahead of the client's. */
  skewMs: number;
  /** Whether the store ignores conditions of writes, as some real stores do. */
  ignoresConditions: boolean;
  /** Whether answers are those of a proxy that compresses and makes ETags weak. */
  compresses: boolean;
  /** Whether answers are those of a proxy that removes ETags. */
  hidesEtags: boolean;
  /** The prefix of objects that listings leave out; null for none. */
  leftOut: string | null;
  close(): Promise<void>;
}

/**
 * The fault of a request:
 * - a number: it is answered with this status, and not carried out
 * - `cut`: the connection is cut in the middle of the answer
 * - `cut at its end`: it is cut after the last byte of the answer
 * - `lost`: the request is carried out, and the connection is cut before the answer is complete
 * - `slow`: the first 20 bytes of the answer come one every 20 ms, and the rest at once
 * - `steady`: all bytes of the answer come 100 every 20 ms
 * - `trickling`: all bytes of the answer come one every 20 ms
 * - `endless`: it is answered with a 200 whose body has no end, and not carried out
 * - `whole`: the whole object is sent, even if a range is requested
 * - `body`: it is answered with a 200 with this body, and not carried out
 */
export type Fault =
  | number
  | 'cut'
  | 'cut at its end'
  | 'endless'
  | 'lost'
  | 'slow'
  | 'steady'
  | 'trickling'
  | 'whole'
  | { readonly body: string };

export const STORE_LOGIN = { AWS_ACCESS_KEY_ID: 'test-id', AWS_SECRET_ACCESS_KEY: 'test-secret' };
const BUCKET = 'snapshots';
const REGION = 'us-east-1';
const MAX_SKEW_MS = 15 * 60 * 1000;

/** Starts a store with an empty bucket `snapshots`; on any free port when `port` is 0. */
export async function startStore(port = 0): Promise<TestStore> {
  const objects = new Map<string, Buffer>();
  const server = http.createServer((request, response) => {
    answer(store, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const store: TestStore = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    faults: [],
    requests: [],
    unchanged: [],
    before: () => {},
    skewMs: 0,
    ignoresConditions: false,
    compresses: false,
    hidesEtags: false,
    leftOut: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return store;
}

/** A request with its body and the name of its object. */
interface StoreRequest {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly url: URL;
  readonly body: Buffer;
  /** The name of the object; empty for a listing. */
  readonly name: string;
  /** `METHOD name`. */
  readonly text: string;
  readonly fault: Fault | undefined;
}

async function answer(
  store: TestStore,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const body = await buffer(request);
  const url = new URL(request.url ?? '', 'http://store');
  const [, bucket = '', name = ''] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
  const isListing = url.searchParams.has('list-type');
  const text = `${request.method} ${isListing ? `list ${url.searchParams.get('prefix')}` : name}`;
  store.requests.push(text);
  await store.before(text);
  const fault = store.faults.shift();
  if (typeof fault === 'number') return fail(response, fault, 'InternalError');
  if (fault === 'endless')
    return void Readable.from(zeros())
      .pipe(response.writeHead(200))
      .on('error', () => {});
  if (typeof fault === 'object') return void response.writeHead(200).end(fault.body);
  const refused = refusalOf(store, request, url, bucket);
  if (refused !== null) return fail(response, ...refused);
  if (isListing && request.method === 'GET')
    return void response.writeHead(200).end(listing(store, url.searchParams));
  const asked: StoreRequest = { request, response, url, body, name, text, fault };
  if (request.method === 'PUT') return put(store, asked);
  if (request.method === 'DELETE') {
    store.objects.delete(name);
    return end(asked, 204);
  }
  return get(store, asked);
}

const fail = (response: http.ServerResponse, status: number, code: string): void =>
  void response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);

/** Ends an answer without a body, or cuts the connection when the answer is to be lost. */
function end(
  { response, fault }: StoreRequest,
  status: number,
  headers: http.OutgoingHttpHeaders = {},
): void {
  if (fault === 'lost') return void response.destroy();
  response.writeHead(status, headers).end();
}

/** The status and the code of a request that may not be carried out; null for all others. */
function refusalOf(
  store: TestStore,
  request: http.IncomingMessage,
  url: URL,
  bucket: string,
): readonly [number, string] | null {
  const { authorization } = request.headers;
  if (Math.abs(store.skewMs) > MAX_SKEW_MS) return [403, 'RequestTimeTooSkewed'];
  if (authorization?.includes('/s3/aws4_request') && !authorization.includes(`/${REGION}/`))
    return [400, 'AuthorizationHeaderMalformed'];
  if (!isSigned(request, url)) return [403, 'SignatureDoesNotMatch'];
  return bucket === BUCKET ? null : [404, 'NoSuchBucket'];
}

const etagOf = (content: Buffer): string => `"${createHash('md5').update(content).digest('hex')}"`;

/** Stores an object, unless a condition of the request forbids it. */
async function put(store: TestStore, asked: StoreRequest): Promise<void> {
  const { request, response, body, name } = asked;
  const { 'if-match': match, 'if-none-match': noneMatch, 'x-amz-content-sha256': digest } = request.headers;
  if (digest !== createHash('sha256').update(body).digest('hex'))
    return fail(response, 400, 'XAmzContentSHA256Mismatch');
  const content = store.objects.get(name);
  if (!store.ignoresConditions) {
    if (match !== undefined && content === undefined) return fail(response, 404, 'NoSuchKey');
    const isOther = match !== undefined && content !== undefined && match !== etagOf(content);
    if (isOther || (noneMatch === '*' && content !== undefined))
      return fail(response, 412, 'PreconditionFailed');
  }
  store.objects.set(name, body);
  end(asked, 200, { ETag: etagOf(body) });
}

/** Sends an object, or with a range the rest of it from an offset. */
async function get(store: TestStore, asked: StoreRequest): Promise<void> {
  const { request, response, name, text, fault } = asked;
  const headers = fault === 'whole' ? { ...request.headers, range: undefined } : request.headers;
  const content = store.objects.get(name);
  if (content === undefined) return fail(response, 404, 'NoSuchKey');
  const etag = etagOf(content);
  if (headers['if-none-match'] === etag) {
    store.unchanged.push(text);
    return end(asked, 304, { ETag: etag });
  }
  const [, from = '0'] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  if (Number(from) > 0 && Number(from) >= content.length) return fail(response, 416, 'InvalidRange');
  if (store.compresses && headers['accept-encoding']?.includes('gzip'))
    return void response
      .writeHead(200, { ETag: `W/${etag}`, 'Content-Encoding': 'gzip' })
      .end(gzipSync(content));
  const part = content.subarray(Number(from));
  const status = headers.range === undefined ? 200 : 206;
  if (fault === 'cut at its end') {
    response.writeHead(status, { ETag: etag }).write(part);
    return void setTimeout(() => response.destroy(), 20);
  }
  response.writeHead(status, { 'Content-Length': part.length, ...(!store.hidesEtags && { ETag: etag }) });
  return sendPart(response, part, fault);
}

/** Sends the body with the fault of the request. */
async function sendPart(
  response: http.ServerResponse,
  part: Buffer,
  fault: Fault | undefined,
): Promise<void> {
  if (fault === 'cut' || fault === 'lost') {
    response.write(part.subarray(0, part.length / 2));
    return void setTimeout(() => response.destroy(), 20);
  }
  if (fault === 'trickling' || fault === 'steady') {
    const bytes = fault === 'steady' ? 100 : 1;
    for (let at = 0; at < part.length && !response.destroyed; at += bytes) {
      response.write(part.subarray(at, at + bytes));
      await sleep(20);
    }
    return void response.end();
  }
  if (fault === 'slow') {
    for (const byte of part.subarray(0, 20)) {
      response.write(Buffer.of(byte));
      await sleep(20);
    }
    return void response.end(part.subarray(20));
  }
  response.end(part);
}

function* zeros(): Generator<Buffer> {
  const piece = Buffer.alloc(1 << 16);
  for (;;) yield piece;
}

/** A page of a listing. It has at most two names, so that clients must request further pages. */
function listing({ objects, leftOut }: TestStore, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const below = [...objects.keys()].filter(
    (name) => name.startsWith(prefix) && !(leftOut !== null && name.startsWith(leftOut)),
  );
  const entries = below.map((name) => {
    const rest = name.slice(prefix.length);
    return query.get('delimiter') === '/' && rest.includes('/')
      ? `<CommonPrefixes><Prefix>${prefix}${rest.split('/')[0]}/</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key></Contents>`;
  });
  const all = [...new Set(entries)].sort();
  const from = Number(query.get('continuation-token') ?? 0);
  const more = from + 2 < all.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult>${all.slice(from, from + 2).join('')}${more}</ListBucketResult>`;
}

/** Whether the signature (version 4) of a request is right. It is computed anew from the request. */
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
