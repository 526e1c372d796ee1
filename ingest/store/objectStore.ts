// Reads and writes objects of an S3-compatible store. Every failure is one sentence that names the remedy.

import { AwsClient } from 'aws4fetch';
import type { StoreAddress } from '../../src/catalog/storeAddress.ts';

/** The standard AWS variables. */
export interface StoreCredentials {
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_REGION?: string | undefined;
  readonly AWS_ENDPOINT_URL?: string | undefined;
}

export interface ObjectStore {
  /** The content of an object; null when there is none. */
  get(name: string): Promise<Buffer | null>;
  /** Writes an object that does not exist yet; false when it does. `sha256` lets the store check what arrives. */
  create(name: string, content: Buffer, sha256: string): Promise<boolean>;
  /** The names of the folders directly below a folder, sorted. */
  folders(folder: string): Promise<string[]>;
}

/** The store did not do what was asked. The message names the remedy. */
export class StoreFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreFailed';
  }
}

/** How long a request may take before it is repeated; once, because a store answers most errors at once. */
const REQUEST_MS = 60_000;
const RETRIES = 2;

/** @throws {StoreFailed} when the credentials are not set. */
export function openStore({ bucket, prefix }: StoreAddress, credentials: StoreCredentials): ObjectStore {
  const {
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN,
    AWS_REGION = 'us-east-1',
  } = credentials;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new StoreFailed('the store has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const endpoint = (credentials.AWS_ENDPOINT_URL ?? `https://s3.${AWS_REGION}.amazonaws.com`).replace(
    /\/+$/,
    '',
  );
  const client = new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    region: AWS_REGION,
    service: 's3',
    retries: RETRIES,
  });

  /** Gives answers of the statuses that the caller expects. */
  async function request(target: string, init: RequestInit, expected: readonly number[]): Promise<Response> {
    let response: Response;
    try {
      response = await client.fetch(`${endpoint}/${bucket}${target}`, {
        ...init,
        signal: AbortSignal.timeout(REQUEST_MS),
      });
    } catch (error) {
      const { cause, message } = error as Error & { cause?: Error };
      throw new StoreFailed(
        `the store at ${endpoint} does not answer (${cause?.message || message}); check AWS_ENDPOINT_URL and the network, and run again`,
      );
    }
    if (expected.includes(response.status)) return response;
    throw new StoreFailed(problemOf(response.status, await response.text(), bucket, endpoint));
  }

  return {
    async get(name) {
      const response = await request(`/${prefix}${name}`, {}, [200, 404]);
      const content = await contentOf(response, endpoint);
      if (response.status === 200) return content;
      if (content.includes('NoSuchBucket')) throw new StoreFailed(noBucket(bucket));
      return null;
    },
    async create(name, content, sha256) {
      const headers = { 'If-None-Match': '*', 'X-Amz-Content-Sha256': sha256 };
      const init = { method: 'PUT', body: new Uint8Array(content), headers };
      return (await request(`/${prefix}${name}`, init, [200, 412])).status === 200;
    },
    async folders(folder) {
      const names: string[] = [];
      for (let token = ''; ; ) {
        const query = new URLSearchParams({
          'list-type': '2',
          delimiter: '/',
          prefix: `${prefix}${folder}/`,
        });
        if (token !== '') query.set('continuation-token', token);
        const text = (await contentOf(await request(`?${query}`, {}, [200]), endpoint)).toString();
        for (const [, found = ''] of text.matchAll(/<CommonPrefixes><Prefix>([^<]*)\/<\/Prefix>/g))
          names.push(found.slice(`${prefix}${folder}/`.length));
        token = /<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '';
        if (token === '') return names.sort();
      }
    },
  };
}

/** A connection that is cut in the middle of a body fails here. */
async function contentOf(response: Response, endpoint: string): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer());
  } catch {
    throw new StoreFailed(`the store at ${endpoint} cut the connection; run again`);
  }
}

const noBucket = (bucket: string) =>
  `the bucket ${bucket} does not exist; create it, or correct SNAPSHOT_STORE`;

function problemOf(status: number, body: string, bucket: string, endpoint: string): string {
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? '';
  if (code === 'NoSuchBucket' || status === 404) return noBucket(bucket);
  if (code === 'RequestTimeTooSkewed')
    return `the clocks of this machine and of the store at ${endpoint} differ; set this machine's clock`;
  if (status === 401 || status === 403)
    return `the store refuses the credentials (${code || status}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their rights on ${bucket}`;
  return `the store at ${endpoint} answered ${status}${code && ` (${code})`}; run again later`;
}
