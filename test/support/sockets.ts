// Sends bytes to a server as they are: `const text = await talk(url, ['GET / HTTP/1.1\r\n…'])`.

import net from 'node:net';

export interface Talk {
  /** Is called with the socket after the first parts are written. */
  readonly after?: (socket: net.Socket) => void;
  /** How long the server may take to close the connection. */
  readonly timeoutMs?: number;
  /** The pause between two parts, so that the server reads them one by one. Without it, all are sent at once. */
  readonly pauseMs?: number;
  /** Whether the client sends each part only after the answer to the part before. */
  readonly awaitsAnswers?: boolean;
  /** Whether the client leaves its end open when the server closes the connection. */
  readonly staysOpen?: boolean;
}

/** Writes the parts, and returns everything that the server sends until the connection is closed. */
export function talk(
  url: string,
  parts: readonly string[],
  { after, timeoutMs = 30_000, pauseMs, awaitsAnswers = false, staysOpen = false }: Talk = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    const timer = setTimeout(() => {
      reject(new Error(`still open after ${JSON.stringify(text)}`));
      socket.destroy();
    }, timeoutMs);
    let answered = 0;
    socket.on('data', (chunk) => {
      text += chunk;
      if (!awaitsAnswers) return;
      for (const answers = statusesIn(text).length; answered < answers; ) {
        answered += 1;
        const part = parts[answered];
        if (part !== undefined) socket.write(part, 'latin1');
      }
    });
    socket.on('error', () => {});
    const closed = () => {
      clearTimeout(timer);
      resolve(text);
    };
    socket.on('close', closed);
    socket.on('end', () => {
      if (!staysOpen) return void socket.end();
      closed();
      setTimeout(() => socket.destroy(), 10_000).unref();
      socket.unref();
    });
    for (const [i, part] of (awaitsAnswers ? parts.slice(0, 1) : parts).entries()) {
      if (pauseMs === undefined || i === 0) socket.write(part, 'latin1');
      else setTimeout(() => socket.write(part, 'latin1'), i * pauseMs);
    }
    after?.(socket);
  });
}

/** The statuses of all answers in a text, in order. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
