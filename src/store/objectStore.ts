// Reads and writes objects of an S3-compatible store. Every failure is one sentence that names the remedy.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreAddress } from '../catalog/storeAddress.ts';
import { noBucket, RETRIES, type StoreCredentials, StoreFailed, s3Client } from './s3Client.ts';

/** The one interface to a store. Names are below the prefix. Every method may throw `StoreFailed`. */
export interface ObjectStore {
  /** For messages: `s3://bucket/prefix`. */
  readonly address: string;
  /** The content of an object; null when there is none. */
  get(name: string): Promise<Buffer | null>;
  /** The same with its ETag; `unchanged` when it still has the ETag `known`. */
  read(name: string, known?: string): Promise<ReadObject | 'unchanged' | null>;
  /**
   * Writes an object to a file, and continues where a connection was cut.
   *
   * @returns the SHA-256 and the length of what arrived; null when there is no such object.
   */
  download(name: string, file: string): Promise<{ readonly sha256: string; readonly bytes: number } | null>;
  /** Writes an object; false when the condition is not met. The store checks the SHA-256 of what arrives. */
  write(name: string, content: Buffer, condition: WriteCondition): Promise<boolean>;
  /** Removes an object, if it exists. */
  remove(name: string): Promise<void>;
  /** The names of the folders directly below a folder, sorted. */
  folders(folder: string): Promise<string[]>;
  /** The names of all objects below a folder, without the folder, sorted. */
  names(folder: string): Promise<string[]>;
}

export interface ReadObject {
  readonly content: Buffer;
  readonly etag: string;
}

/** `new`: only where there is no object; an ETag: only over the object that has it. */
export type WriteCondition = 'new' | 'always' | { readonly etag: string };

export interface StoreOptions {
  /** How long the store may take to answer, and how long it may pause within an answer. */
  readonly answerMs?: number;
}

/** The slowest connection that an upload is given time for. */
const UPLOAD_BYTES_PER_MS = 50;

export function openStore(
  { bucket, prefix }: StoreAddress,
  credentials: StoreCredentials,
  { answerMs = 60_000 }: StoreOptions = {},
): ObjectStore {
  const { endpoint, request } = s3Client(bucket, credentials);
  const pathOf = (name: string) => `/${prefix}${name}`;
  const bounded = (bytes = 0) => AbortSignal.timeout(answerMs + Math.ceil(bytes / UPLOAD_BYTES_PER_MS));

  const cut = () => new StoreFailed(`the store at ${endpoint} cut the connection; run again`, true);

  async function contentOf(response: Response): Promise<Buffer> {
    try {
      return Buffer.from(await response.arrayBuffer());
    } catch {
      throw cut();
    }
  }

  /** @throws {StoreFailed} when a 404 is about the bucket rather than the object. */
  async function expectBucket(response: Response): Promise<void> {
    if ((await contentOf(response)).includes('NoSuchBucket')) throw new StoreFailed(noBucket(bucket));
  }

  /** Repeats a read whose connection was cut or refused. */
  async function repeated<Value>(attempt: () => Promise<Value>): Promise<Value> {
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

  async function read(name: string, known?: string): Promise<ReadObject | 'unchanged' | null> {
    const headers = known === undefined ? {} : { 'If-None-Match': known };
    const response = await request(pathOf(name), { headers, signal: bounded() }, [200, 304, 404]);
    if (response.status === 304) return 'unchanged';
    if (response.status === 200)
      return { content: await contentOf(response), etag: response.headers.get('etag') ?? '' };
    await expectBucket(response);
    return null;
  }

  async function list(query: Record<string, string>, tag: RegExp): Promise<string[]> {
    const found: string[] = [];
    for (let token = ''; ; ) {
      const search = new URLSearchParams({ 'list-type': '2', ...query });
      if (token !== '') search.set('continuation-token', token);
      // Spaces are written as %20, because signatures are computed over that form.
      const target = `?${search.toString().replaceAll('+', '%20')}`;
      const response = await request(target, { signal: bounded() }, [200]);
      const text = (await contentOf(response)).toString();
      for (const [, name = ''] of text.matchAll(tag)) found.push(name.slice(query.prefix?.length ?? 0));
      token = /<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '';
      if (token === '') return found.sort();
    }
  }

  return {
    address: `s3://${bucket}/${prefix}`,
    async get(name) {
      const found = await repeated(() => read(name));
      return found === null || found === 'unchanged' ? null : found.content;
    },
    read: (name, known) => repeated(() => read(name, known)),
    async download(name, file) {
      const hash = createHash('sha256');
      const handle = await open(file, 'w');
      let bytes = 0;
      /** Continues behind the bytes that have arrived; false when there is no such object. */
      const attempt = async (): Promise<boolean> => {
        const idle = new AbortController();
        let timer = setTimeout(() => idle.abort(), answerMs);
        const headers = bytes > 0 ? { Range: `bytes=${bytes}-` } : {};
        try {
          const response = await request(pathOf(name), { headers, signal: idle.signal }, [200, 206, 404]);
          if (response.status === 404) {
            await expectBucket(response);
            return false;
          }
          // A store that ignores ranges sends everything again.
          let skip = response.status === 200 ? bytes : 0;
          for await (const chunk of response.body ?? []) {
            clearTimeout(timer);
            timer = setTimeout(() => idle.abort(), answerMs);
            const fresh = (chunk as Uint8Array).subarray(skip);
            skip = Math.max(0, skip - (chunk as Uint8Array).length);
            hash.update(fresh);
            await handle.appendFile(fresh);
            bytes += fresh.length;
          }
          return true;
        } catch (error) {
          const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined;
          throw error instanceof StoreFailed || isOfDisk ? error : cut();
        } finally {
          clearTimeout(timer);
        }
      };
      try {
        if (!(await repeated(attempt))) return null;
        await handle.sync();
      } finally {
        await handle.close();
      }
      return { sha256: hash.digest('hex'), bytes };
    },
    async write(name, content, condition) {
      const headers = {
        'X-Amz-Content-Sha256': createHash('sha256').update(content).digest('hex'),
        ...(condition === 'new' && { 'If-None-Match': '*' }),
        ...(typeof condition === 'object' && { 'If-Match': condition.etag }),
      };
      const signal = bounded(content.length);
      const init = { method: 'PUT', body: new Uint8Array(content), headers, signal };
      // 409: another conditional write of the same object is under way. 404: there is no object to match.
      const refused = condition === 'always' ? [] : condition === 'new' ? [409, 412] : [404, 409, 412];
      const response = await request(pathOf(name), init, [200, ...refused]);
      if (response.status === 200) return true;
      await expectBucket(response);
      return false;
    },
    async remove(name) {
      await request(pathOf(name), { method: 'DELETE', signal: bounded() }, [200, 204, 404]);
    },
    folders: (folder) =>
      repeated(() =>
        list(
          { delimiter: '/', prefix: `${prefix}${folder}/` },
          /<CommonPrefixes><Prefix>([^<]*)\/<\/Prefix>/g,
        ),
      ),
    names: (folder) => repeated(() => list({ prefix: `${prefix}${folder}/` }, /<Key>([^<]*)<\/Key>/g)),
  };
}
