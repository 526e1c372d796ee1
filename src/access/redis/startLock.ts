// The start lock: one process at a time starts a private server. The kernel releases it when its holder ends.

import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `act` while no other process runs under the same `base`; waits as long as that takes.
 *
 * A process first listens on a socket of its own, then looks for the sockets of others. Of two processes at least the
 * later one sees the other, steps back and tries again. A socket whose process has ended refuses connections, and is
 * removed.
 */
export async function withStartLock<Result>(base: string, act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const own = `${base}.${randomBytes(4).toString('hex')}${SUFFIX}`;
    const announced = await listen(own).catch((error) => refuse(path.dirname(base), error));
    try {
      if (!(await hasOthers(own, base))) return await act();
    } finally {
      await new Promise((resolve) => announced.close(resolve));
    }
    await sleep(10 + Math.random() * 40);
  }
}

const SUFFIX = '.start';

/** The bytes that the name of a socket of this lock has after its base. */
export const ANNOUNCEMENT_BYTES = 1 + 8 + SUFFIX.length;

function listen(socket: string): Promise<net.Server> {
  const server = net.createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => resolve(server));
  });
}

/** The message leaves out the name of the socket, so that it is the same at each attempt, and is logged once. */
function refuse(folder: string, cause: NodeJS.ErrnoException): never {
  const why = cause.code ?? cause.message;
  throw new Error(
    `no socket can be made in ${folder} (${why}); see that it can be written, or set REDIS_URL`,
    {
      cause,
    },
  );
}

async function hasOthers(own: string, base: string): Promise<boolean> {
  const folder = path.dirname(base);
  for (const name of await readdir(folder)) {
    const other = path.join(folder, name);
    if (!other.startsWith(`${base}.`) || !other.endsWith(SUFFIX) || other === own) continue;
    if (await isListening(other)) return true;
    await rm(other, { force: true });
  }
  return false;
}

/** Whether a process listens on a socket, even one too busy to accept. */
export function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      // A process that stops listening resets the connections it has not accepted.
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
        resolve(false);
      // The queue of a listening process is full.
      else if (error.code === 'EAGAIN') resolve(true);
      else reject(error);
    });
  });
}
