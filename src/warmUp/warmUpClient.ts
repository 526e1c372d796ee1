// The HTTP client of a warm-up. It sends one request after another over one connection, and takes less CPU than node's.

import { once } from 'node:events';
import net from 'node:net';

/** The facts of an answer that a warm-up needs. */
export interface WarmUpAnswer {
  readonly status: number;
  /** The path of the next page, from the header `Link`; null without one. */
  readonly following: string | null;
}

/** Connects to a server. Each request is sent with these headers. */
export async function connectTo(address: net.TcpNetConnectOpts, headers: Readonly<Record<string, string>>) {
  const socket = net.connect(address);
  await once(socket, 'connect');
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  let pending: { resolve(answer: WarmUpAnswer): void; reject(fault: Error): void } | null = null;
  const onAnswer = (answer: WarmUpAnswer) => {
    const request = pending;
    pending = null;
    request?.resolve(answer);
  };
  socket.on(
    'data',
    answerReader(onAnswer, () => socket.destroy()),
  );
  socket.on('error', () => {});
  socket.on('close', () => pending?.reject(new Error('the connection ended in the middle of an answer')));

  return {
    /**
     * Sends a request, and reads its answer to the end. The answer must be awaited before the next call. Rejects when the
     * connection ends before that.
     */
    ask(path: string): Promise<WarmUpAnswer> {
      return new Promise((resolve, reject) => {
        if (socket.destroyed) {
          reject(new Error('the connection has ended'));
          return;
        }
        pending = { resolve, reject };
        socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      });
    },
    close: () => void socket.destroy(),
  };
}

/**
 * Returns a function that receives the bytes of answers, which follow one another.
 *
 * @param onLost is called when it is unknown where the next answer begins.
 */
function answerReader(onAnswer: (answer: WarmUpAnswer) => void, onLost: () => void): (chunk: Buffer) => void {
  let answer: WarmUpAnswer | null = null;
  let head: Buffer = Buffer.alloc(0);
  let bodyBytesLeft = 0;
  return (chunk) => {
    if (answer !== null) {
      bodyBytesLeft -= chunk.length;
    } else {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      answer = {
        status: Number(text.slice(9, 12)),
        following: /<([^>]+)>; rel="next"/.exec(text)?.[1] ?? null,
      };
      const length = /^content-length: (\d+)$/im.exec(text)?.[1];
      bodyBytesLeft = Number(length) - (head.length - end - 4);
      head = Buffer.alloc(0);
    }
    if (bodyBytesLeft === 0) {
      const whole = answer;
      answer = null;
      onAnswer(whole);
      // The answer states no length, or is longer than it states.
    } else if (!(bodyBytesLeft > 0)) onLost();
  };
}
