// Downloads an object of a store to a file, and continues where a connection was cut.

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type IdleTimeout, startIdleTimeout } from './idleTimeout.ts';
import { repeatWhenCut, type S3Client, StoreFailed } from './s3Client.ts';

/** The SHA-256 and the length of the bytes that arrived. */
export interface Downloaded {
  readonly sha256: string;
  readonly bytes: number;
}

export interface DownloadTerms {
  readonly file: string;
  /** The most bytes that the caller expects. Of a longer object, one byte more is downloaded. */
  readonly maxBytes: number;
  /** The idle timeout of a request, in milliseconds. */
  readonly answerTimeoutMs: number;
}

/**
 * Downloads an object to a file. If it is longer than `maxBytes` bytes, the download stops after one byte more, so that an
 * endless body does not fill the disk.
 *
 * @param target the path of the object below its bucket.
 * @returns the digest and the length of the bytes that arrived; null when there is no such object.
 */
export async function downloadObject(
  client: S3Client,
  target: string,
  { file, maxBytes, answerTimeoutMs }: DownloadTerms,
): Promise<Downloaded | null> {
  const handle = await open(file, 'w');
  const download = new Download(handle, maxBytes);
  try {
    if (!(await repeatWhenCut(() => requestMissing(client, target, download, answerTimeoutMs)))) return null;
    await handle.sync();
  } catch (error) {
    // Node names the file of a failed `open`, but not that of a failed write.
    if (isOfDisk(error)) error.message += ` '${file}'`;
    throw error;
  } finally {
    await handle.close();
  }
  return download.result();
}

/** Requests the bytes that are still missing; false when there is no such object. */
async function requestMissing(
  client: S3Client,
  target: string,
  download: Download,
  answerMs: number,
): Promise<boolean> {
  const { bytes } = download;
  const headers = bytes > 0 ? { Range: `bytes=${bytes}-` } : {};
  const idle = startIdleTimeout(answerMs);
  try {
    // 416 means that all bytes had arrived before the connection was cut. The caller compares the checksum.
    const expected = bytes > 0 ? [200, 206, 404, 416] : [200, 206, 404];
    const response = await client.request(target, { headers, signal: idle.signal }, expected);
    if (response.status === 404) {
      await client.expectBucket(response);
      return false;
    }
    if (response.status === 416) await response.body?.cancel();
    else await download.append(response, idle);
    return true;
  } catch (error) {
    throw error instanceof StoreFailed || isOfDisk(error) ? error : client.connectionCut();
  } finally {
    idle.end();
  }
}

const isOfDisk = (error: unknown): error is Error =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;

/** A file to which the bytes of an object are appended, over several responses if connections are cut. */
class Download {
  readonly #handle: FileHandle;
  readonly #maxBytes: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(handle: FileHandle, maxBytes: number) {
    this.#handle = handle;
    this.#maxBytes = maxBytes;
  }

  /** How many bytes have arrived. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Appends the new bytes of a response. */
  async append(response: Response, idle: IdleTimeout): Promise<void> {
    // Status 200 in place of 206 means that the store ignores ranges and sends all bytes again.
    let skip = response.status === 200 ? this.#bytes : 0;
    for await (const part of response.body ?? []) {
      const chunk = part as Uint8Array;
      idle.received(chunk.length);
      const fresh = chunk.subarray(skip, skip + this.#maxBytes + 1 - this.#bytes);
      skip = Math.max(0, skip - chunk.length);
      this.#hash.update(fresh);
      await this.#handle.appendFile(fresh);
      this.#bytes += fresh.length;
      if (this.#bytes > this.#maxBytes) break;
    }
  }

  result(): Downloaded {
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes };
  }
}
