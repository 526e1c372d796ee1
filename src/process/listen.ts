// Makes a server listen. A problem that a setting can solve becomes an error that names the setting.

import { createServer, type Server } from 'node:net';
import { ConfigError } from '../config/config.ts';

/**
 * Settles when the server listens.
 *
 * @param setting the setting that has the port, for messages.
 * @throws {ConfigError} when the port or the host cannot be used. The message names the setting and the remedy.
 */
export function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
  setting: 'PORT' | 'METRICS_PORT' = 'PORT',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const problem = PROBLEMS[error.code ?? ''] ?? (isUnresolved(error) ? unresolved : null);
      reject(problem ? new ConfigError(problem(port, host, setting)) : error);
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

/**
 * Listens on `PORT` for a moment, so that a port in use is reported before a Redis is started and a snapshot is loaded.
 *
 * @throws {ConfigError} as `listen` does.
 */
export async function expectListenable(address: {
  readonly port: number;
  readonly host: string;
}): Promise<void> {
  // A client that connects in this moment would keep `close` waiting.
  const probe = createServer((socket) => socket.destroy());
  await listen(probe, address);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

const PROBLEMS: Readonly<Record<string, (port: number, host: string, setting: string) => string>> = {
  EADDRINUSE: (port, host, setting) =>
    `${setting}: ${port} on ${host} is in use; stop what uses it, or choose another port`,
  EACCES: (port, _, setting) =>
    `${setting}: ${port} may not be used by this user; use one from 1024 to 65535`,
  EADDRNOTAVAIL: (_, host) => `HOST: "${host}" is not an address of this machine; use 127.0.0.1`,
  EAFNOSUPPORT: (_, host) =>
    `HOST: "${host}" is of an address family that this machine does not support; use 127.0.0.1`,
  EINVAL: (_, host) =>
    `HOST: "${host}" cannot be listened on; a link-local address needs its zone, such as fe80::1%eth0`,
};

const isUnresolved = ({ syscall }: NodeJS.ErrnoException): boolean => syscall === 'getaddrinfo';

const unresolved = (_port: number, host: string): string =>
  `HOST: "${host}" cannot be resolved to an address; use an address or a name of this machine, such as 127.0.0.1`;
