// Downloads an object of a store to a file, and continues where a connection was cut.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type IdleTimeout, startIdleTimeout } from './idleTimeout.ts';
import { repeatWhenCut, type S3Client, StoreFailed } from './s3Client.ts';

export interface Downloaded {
  readonly sha256: string;
  readonly bytes: number;
}

export interface DownloadTerms {
  readonly file: string;
  /** The number of bytes that the caller expects. */
  readonly atMost: number;
  /** The idle timeout of a request, in milliseconds. */
  readonly answerMs: number;
}

/**
 * Downloads an object to a file. If it is longer than `atMost` bytes, the download stops after one byte more, so that
 * an endless body does not fill the disk.
 *
 * @param target the path of the object below its bucket.
 * @returns what arrived; null when there is no such object.
 */
export async function downloadObject(
  client: S3Client,
  target: string,
  { file, atMost, answerMs }: DownloadTerms,
): Promise<Downloaded | null> {
  const hash = createHash('sha256');
  const handle = await open(file, 'w');
  let bytes = 0;

  async function append(response: Response, idle: IdleTimeout): Promise<void> {
    // Status 200 in place of 206: the store ignores ranges, and sends the bytes that have arrived once more.
    let skip = response.status === 200 ? bytes : 0;
    for await (const chunk of response.body ?? []) {
      idle.received((chunk as Uint8Array).length);
      const fresh = (chunk as Uint8Array).subarray(skip, skip + atMost + 1 - bytes);
      skip = Math.max(0, skip - (chunk as Uint8Array).length);
      hash.update(fresh);
      await handle.appendFile(fresh);
      bytes += fresh.length;
      if (bytes > atMost) break;
    }
  }

  /** Requests the bytes that are still missing; false when there is no such object. */
  async function attempt(): Promise<boolean> {
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
      if (response.status === 416) {
        await response.body?.cancel();
        return true;
      }
      await append(response, idle);
      return true;
    } catch (error) {
      const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined;
      throw error instanceof StoreFailed || isOfDisk ? error : client.cut();
    } finally {
      idle.end();
    }
  }

  try {
    if (!(await repeatWhenCut(attempt))) return null;
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}
