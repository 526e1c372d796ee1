// Reads and writes objects of an S3-compatible store. The message of each failure names the remedy.

import { sha256 } from '../basics/sha256.ts';
import type { StoreAddress } from '../catalog/storeAddress.ts';
import { startIdleTimeout } from './idleTimeout.ts';
import {
  ERROR_BYTES,
  repeatWhenCut,
  type S3Client,
  type StoreCredentials,
  StoreFailed,
  s3Client,
} from './s3Client.ts';
import { type Downloaded, downloadObject } from './s3Download.ts';
import { type ListedKind, listNames } from './s3Listing.ts';

/** An object with its ETag. */
export interface ReadObject {
  readonly content: Buffer;
  readonly etag: string;
}

/**
 * With `new`, a write succeeds only if there is no such object. With an ETag, it succeeds only if the object still has this
 * ETag.
 */
export type WriteCondition = 'new' | 'always' | { readonly etag: string };

export interface StoreOptions {
  /** How long the store may take to answer, or to send the next part of an object. */
  readonly answerTimeoutMs?: number;
  /** The most bytes of a document, which is held in memory. */
  readonly maxDocumentBytes?: number;
}

/** A store of objects. Their names are relative to its prefix. Every method may throw `StoreFailed`. */
export class ObjectStore {
  /** The address for messages: `s3://bucket/prefix`. */
  readonly address: string;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #answerTimeoutMs: number;
  readonly #maxDocumentBytes: number;

  constructor(
    { bucket, prefix }: StoreAddress,
    credentials: StoreCredentials,
    { answerTimeoutMs = 60_000, maxDocumentBytes = MAX_DOCUMENT_BYTES }: StoreOptions = {},
  ) {
    this.address = `s3://${bucket}/${prefix}`;
    this.#client = s3Client(bucket, credentials);
    this.#prefix = prefix;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#maxDocumentBytes = maxDocumentBytes;
  }

  /**
   * The content of an object; null when there is no such object.
   *
   * @param maxBytes the most bytes that the caller expects. Of a longer object, one byte more is read, so that the caller
   *   can see that it is longer. When `maxBytes` is left out, an object that is longer than any document is an error.
   */
  async get(name: string, maxBytes?: number): Promise<Buffer | null> {
    const found = await repeatWhenCut(() => this.#readOnce(name, undefined, maxBytes));
    return found === null || found === 'unchanged' ? null : found.content;
  }

  /**
   * The content and the ETag of an object; `unchanged` when it still has the ETag `knownEtag`, null when there is no such
   * object.
   */
  read(name: string, knownEtag?: string): Promise<ReadObject | 'unchanged' | null> {
    return repeatWhenCut(() => this.#readOnce(name, knownEtag));
  }

  async #readOnce(
    name: string,
    knownEtag?: string,
    maxBytes?: number,
  ): Promise<ReadObject | 'unchanged' | null> {
    const headers = knownEtag === undefined ? {} : { 'If-None-Match': knownEtag };
    const idle = startIdleTimeout(this.#answerTimeoutMs);
    try {
      const init = { headers, signal: idle.signal };
      const response = await this.#client.request(this.#pathOf(name), init, [200, 304, 404]);
      if (response.status === 304) return 'unchanged';
      if (response.status === 404) {
        await this.#client.expectBucket(response);
        return null;
      }
      const content = await this.#client.contentOf(
        response,
        maxBytes ?? this.#maxDocumentBytes,
        idle.received,
      );
      if (maxBytes === undefined && content.length > this.#maxDocumentBytes) throw this.#tooLong(name);
      if (name.endsWith('.json') && content[0] === LESS_THAN) throw this.#client.unexpectedAnswer(name);
      return { content, etag: strongEtag(response.headers.get('etag') ?? '') };
    } finally {
      idle.end();
    }
  }

  #tooLong(name: string): StoreFailed {
    return new StoreFailed(
      `${name} in the store at ${this.address} is longer than ${this.#maxDocumentBytes / 1e6} MB, so it was damaged; see what answers for the store`,
    );
  }

  /**
   * Downloads an object to a file. When the connection is cut, continues from there. If the object is longer than
   * `maxBytes` bytes, stops after one byte more.
   *
   * @returns the SHA-256 and the number of the bytes that arrived; null when there is no such object.
   */
  download(name: string, file: string, maxBytes: number): Promise<Downloaded | null> {
    return downloadObject(this.#client, this.#pathOf(name), {
      file,
      maxBytes,
      answerTimeoutMs: this.#answerTimeoutMs,
    });
  }

  /** Writes an object; false when the condition is not met. The store checks the SHA-256 of the bytes that arrive. */
  async write(name: string, content: Buffer, condition: WriteCondition): Promise<boolean> {
    const init = {
      method: 'PUT',
      body: new Uint8Array(content),
      headers: {
        'X-Amz-Content-Sha256': sha256(content, 'hex'),
        ...conditionHeaders(condition),
      },
      signal: AbortSignal.timeout(this.#answerTimeoutMs + Math.ceil(content.length / UPLOAD_BYTES_PER_MS)),
    };
    const response = await this.#client.request(this.#pathOf(name), init, [
      200,
      ...conflictStatuses(condition),
    ]);
    if (response.status !== 200) {
      await this.#client.expectBucket(response);
      return false;
    }
    const confirmation = (await this.#client.contentOf(response, ERROR_BYTES)).toString();
    if (/<(Error|html)\b/i.test(confirmation))
      throw this.#client.unexpectedAnswer('the confirmation of a write');
    return true;
  }

  /** Removes an object, if it exists. */
  async remove(name: string): Promise<void> {
    const init = { method: 'DELETE', signal: this.#answerTime() };
    await this.#client.request(this.#pathOf(name), init, [200, 204, 404]);
  }

  /** The names of the folders directly below a folder, sorted. */
  folders(folder: string): Promise<string[]> {
    return this.#list(folder, 'folders');
  }

  /** The names of all objects below a folder, without the folder, sorted. */
  names(folder: string): Promise<string[]> {
    return this.#list(folder, 'objects');
  }

  #list(folder: string, listed: ListedKind): Promise<string[]> {
    const answerTime = () => this.#answerTime();
    return repeatWhenCut(() => listNames(this.#client, `${this.#prefix}${folder}/`, listed, answerTime));
  }

  #answerTime(): AbortSignal {
    return AbortSignal.timeout(this.#answerTimeoutMs);
  }

  #pathOf(name: string): string {
    return `/${this.#prefix}${name}`;
  }
}

/** The most bytes of a manifest or `current.json`, which are read into memory. Real ones have less than 5 MB. */
const MAX_DOCUMENT_BYTES = 64e6;

/** The character `<`. JSON never begins with it, but HTML pages and XML errors do. */
const LESS_THAN = 0x3c;

/** The ETag in its strong form. Proxies that compress make ETags weak, and a weak ETag never meets a condition. */
const strongEtag = (etag: string): string => etag.replace(/^W\//, '');

/** The slowest speed of an upload. A slower one times out. */
const UPLOAD_BYTES_PER_MS = 50;

function conditionHeaders(condition: WriteCondition): Record<string, string> {
  if (condition === 'always') return {};
  return condition === 'new' ? { 'If-None-Match': '*' } : { 'If-Match': condition.etag };
}

/**
 * The statuses by which a store says that a condition is not met. 409 says that another conditional write of the object
 * is under way, 404 that there is no object with the ETag.
 */
function conflictStatuses(condition: WriteCondition): readonly number[] {
  if (condition === 'always') return [];
  return condition === 'new' ? [409, 412] : [404, 409, 412];
}
