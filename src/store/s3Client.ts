// Sends signed requests to an S3-compatible store, and turns every failure into one sentence.

import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { certificateRemedy, withoutAdvice } from '../system/certificates.ts';

/** The standard AWS variables. */
export interface StoreCredentials {
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_REGION?: string | undefined;
  /** The address of the store. It comes before `AWS_ENDPOINT_URL`. */
  readonly AWS_ENDPOINT_URL_S3?: string | undefined;
  readonly AWS_ENDPOINT_URL?: string | undefined;
}

/** A request to the store failed. The message names the remedy. */
export class StoreFailed extends Error {
  /** Whether the connection failed, so that another attempt may succeed. */
  readonly isCut: boolean;

  constructor(message: string, { isCut = false } = {}) {
    super(message);
    this.name = 'StoreFailed';
    this.isCut = isCut;
  }
}

export type S3Client = ReturnType<typeof s3Client>;

/** The most bytes that are read of an error, or of the confirmation of a write. */
export const ERROR_BYTES = 1 << 16;

/** How often a failed request or an interrupted read is repeated. */
const RETRIES = 2;

/** A client for one bucket. It repeats requests that the store answers with 429 or 5xx. */
export function s3Client(bucket: string, credentials: StoreCredentials) {
  const signer = signerOf(credentials);
  const endpoint = endpointOf(credentials);

  /** The failure for an answer whose connection was cut. */
  const connectionCut = () =>
    new StoreFailed(`the store at ${endpoint} cut the connection; run again`, { isCut: true });

  /**
   * The body of an answer. Of a body that is longer than `maxBytes` bytes, it reads only one byte more.
   *
   * @param received is called with the size of each part that arrives.
   * @throws {StoreFailed} when the connection is cut.
   */
  async function contentOf(
    response: Response,
    maxBytes: number,
    received: (bytes: number) => void = () => {},
  ): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const part of response.body ?? []) {
        const chunk = part as Uint8Array;
        chunks.push(chunk);
        bytes += chunk.length;
        received(chunk.length);
        // Leaving the loop ends the connection, so that an endless body fills no memory.
        if (bytes > maxBytes) break;
      }
    } catch {
      throw connectionCut();
    }
    return Buffer.concat(chunks).subarray(0, maxBytes + 1);
  }

  return {
    /**
     * Sends a request about the bucket.
     *
     * @param target the path below the bucket, or a query.
     * @param expected the statuses that the caller handles.
     * @throws {StoreFailed} for every other status, or when there is no answer.
     */
    async request(target: string, init: RequestInit, expected: readonly number[]): Promise<Response> {
      if (signer === null) throw new StoreFailed(NO_CREDENTIALS);
      let response: Response;
      try {
        response = await signedFetch(signer, `${endpoint}/${bucket}${target}`, init);
      } catch (error) {
        const cause = withoutAdvice(causeOf(error));
        const remedy = certificateRemedy(cause) ?? 'check AWS_ENDPOINT_URL_S3 and the network, and run again';
        throw new StoreFailed(`the store at ${endpoint} does not answer (${cause}); ${remedy}`, {
          isCut: true,
        });
      }
      if (expected.includes(response.status)) return response;
      const body = (await contentOf(response, ERROR_BYTES).catch(() => '')).toString();
      throw new StoreFailed(problemOf(response.status, body, bucket, endpoint));
    },
    contentOf,
    /**
     * Checks that an answer such as 404 or 412 is about the object, and not about a missing bucket.
     *
     * @throws {StoreFailed} when the bucket does not exist.
     */
    async expectBucket(response: Response): Promise<void> {
      if ((await contentOf(response, ERROR_BYTES)).includes('NoSuchBucket'))
        throw new StoreFailed(noBucket(bucket));
    },
    connectionCut,
    /** The failure for an answer with status 200 that is a page of a proxy or an error in place of `what`. */
    unexpectedAnswer: (what: string): StoreFailed =>
      new StoreFailed(
        `the store at ${endpoint} answered 200 with something that is not ${what}; check AWS_ENDPOINT_URL_S3 and proxies in between, and run again`,
        { isCut: true },
      ),
  };
}

/**
 * Signs and sends a request, and repeats it when the store answers 429 or 5xx.
 *
 * The signal is passed to `fetch`, not to the `Request`. The garbage collector may remove the link between a `Request` and
 * its signal. A request to a silent store would then never time out.
 */
async function signedFetch(
  signer: AwsClient,
  url: string,
  { signal, ...init }: RequestInit,
): Promise<Response> {
  for (let i = 0; ; i++) {
    const request = await signer.sign(url, init);
    // Compressed answers have other ETags, which no condition of a write meets. Proxies change this header, so it must
    // not be signed.
    request.headers.set('Accept-Encoding', 'identity');
    // A redirect is not followed, because it leads to another region, where the signature is not valid.
    const response = await fetch(request, { signal: signal ?? null, redirect: 'manual' });
    if ((response.status < 500 && response.status !== 429) || i === RETRIES) return response;
    await response.body?.cancel();
    await sleep(50 * 2 ** i);
  }
}

/** Repeats a request that may be sent twice, such as a read, when its connection was cut or refused. */
export async function repeatWhenCut<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let i = 0; i < RETRIES; i++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreFailed && error.isCut)) throw error;
    }
    await sleep(100 * 4 ** i);
  }
  return attempt();
}

/** The signer of requests; null without credentials. */
function signerOf(credentials: StoreCredentials): AwsClient | null {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = credentials;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return null;
  return new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    region: regionOf(credentials),
    service: 's3',
  });
}

const regionOf = ({ AWS_REGION }: StoreCredentials) => AWS_REGION || 'us-east-1';

const endpointOf = (credentials: StoreCredentials): string =>
  (
    credentials.AWS_ENDPOINT_URL_S3 ||
    credentials.AWS_ENDPOINT_URL ||
    `https://s3.${regionOf(credentials)}.amazonaws.com`
  ).replace(/\/+$/, '');

const NO_CREDENTIALS = 'the store has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error };
  return cause?.message || message;
}

const noBucket = (bucket: string) =>
  `the bucket ${bucket} does not exist; create it, or correct SNAPSHOT_STORE`;

const ANOTHER_REGION: ReadonlySet<string> = new Set([
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'IllegalLocationConstraintException',
]);

function problemOf(status: number, body: string, bucket: string, endpoint: string): string {
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? '';
  if (code === 'NoSuchBucket' || status === 404) return noBucket(bucket);
  if (code === 'RequestTimeTooSkewed')
    return `the clocks of this machine and of the store at ${endpoint} differ; set this machine's clock`;
  if (ANOTHER_REGION.has(code) || status === 301)
    return `the bucket ${bucket} is in another region; set AWS_REGION`;
  if (status === 401 || status === 403)
    return `the store refuses the credentials (${code || status}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their rights on ${bucket}`;
  return `the store at ${endpoint} answered ${status}${code && ` (${code})`}; run again later`;
}
