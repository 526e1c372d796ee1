// The lock under which one process at a time starts a private server. The kernel releases it when the process ends.

import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull, systemCode } from '../../system/systemError.ts';

/**
 * Runs `act` while no other process holds the lock with the same `base`. Waits for the lock until `signal` is aborted. The
 * result is then null.
 *
 * A process first listens on a socket of its own, then looks for the sockets of other processes. Of two processes, at
 * least the later one sees the socket of the other, closes its own socket, and tries again. A socket whose process has
 * ended refuses connections, and is removed.
 */
export async function withStartLock<Result>(
  base: string,
  act: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result | null> {
  while (signal?.aborted !== true) {
    const ownSocket = `${base}.${randomBytes(4).toString('hex')}${SUFFIX}`;
    const announced = await listen(ownSocket).catch((error) => refuse(path.dirname(base), error));
    try {
      if (!(await hasOthers(ownSocket, base))) return await act();
    } finally {
      await new Promise((resolve) => announced.close(resolve));
    }
    await sleep(10 + Math.random() * 40);
  }
  return null;
}

const SUFFIX = '.start';

/** By how many bytes the path of a socket of this lock is longer than `base`. */
export const ANNOUNCEMENT_BYTES = 1 + 8 + SUFFIX.length;

function listen(socket: string): Promise<net.Server> {
  const server = net.createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => resolve(server));
  });
}

/** Throws an error without the name of the socket. So all attempts fail with the same message, which is logged once. */
function refuse(folder: string, cause: NodeJS.ErrnoException): never {
  const why = systemCode(cause) || cause.message;
  const remedy = isDiskFull(cause)
    ? 'make room on that disk, where df -i may show that its inodes are used up'
    : 'see that it can be written, or set REDIS_URL';
  throw new Error(`no socket can be made in ${folder} (${why}); ${remedy}`, { cause });
}

async function hasOthers(ownSocket: string, base: string): Promise<boolean> {
  const folder = path.dirname(base);
  for (const name of await readdir(folder)) {
    const other = path.join(folder, name);
    if (!other.startsWith(`${base}.`) || !other.endsWith(SUFFIX) || other === ownSocket) continue;
    if (await isListening(other)) return true;
    await rm(other, { force: true });
  }
  return false;
}

/** Whether a process listens on a socket, even if it is too busy to accept connections. */
export function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      // ECONNRESET: the process has stopped listening, and reset the connections that it had not accepted.
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
        resolve(false);
      // EAGAIN: a process listens, and the queue of its connections is full.
      else if (error.code === 'EAGAIN') resolve(true);
      else reject(error);
    });
  });
}
