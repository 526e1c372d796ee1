// Lets one process at a time do something: a lock that the kernel lets go of when its holder ends, however it ends.

import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `act` while no other process does under the same `base`, waiting for them as long as it takes.
 *
 * Who wants in announces it by listening on a socket of its own, then looks for others who do: of two, the later
 * one sees the earlier, and steps back. A socket whose process ended refuses connections, and is removed.
 */
export async function alone<Result>(base: string, act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const own = `${base}.${randomBytes(4).toString('hex')}${ENDING}`;
    const announced = await listen(own);
    try {
      if (!(await othersThan(own, base))) return await act();
    } finally {
      await new Promise((resolve) => announced.close(resolve));
    }
    await sleep(10 + Math.random() * 40);
  }
}

const ENDING = '.start';

/** What a name made here has more than its base. */
export const ANNOUNCEMENT_BYTES = 1 + 8 + ENDING.length;

function listen(socket: string): Promise<net.Server> {
  const server = net.createServer((connection) => connection.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => resolve(server));
  });
}

async function othersThan(own: string, base: string): Promise<boolean> {
  const folder = path.dirname(base);
  for (const name of await readdir(folder)) {
    const other = path.join(folder, name);
    if (!other.startsWith(`${base}.`) || !other.endsWith(ENDING) || other === own) continue;
    if (await isListening(other)) return true;
    await rm(other, { force: true });
  }
  return false;
}

/** Whether a process listens on a socket, though it may be too busy to answer. */
export function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const connection = net.connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(false);
      // Its queue is full: there is one.
      else if (error.code === 'EAGAIN') resolve(true);
      else reject(error);
    });
  });
}
