// Speaks HTTP as unusual clients do: any method, the path exactly as given, and requests as raw bytes.

import http from 'node:http';
import net from 'node:net';

export interface Answer {
  readonly status: number;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON; `undefined` when it is not JSON. */
  readonly json: unknown;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request over HTTP/1.1. The path is neither encoded nor normalised. */
export function ask(url: string, path: string, { method = 'GET', headers = {} }: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const names = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
        resolve(
          answer(response.statusCode ?? 0, Object.fromEntries(names), Buffer.concat(chunks).toString()),
        );
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** Sends bytes as they are, and reads until the server closes. Gives every answer in order. */
export function send(url: string, bytes: string | Uint8Array): Promise<readonly Answer[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect({ host: hostname, port: Number(port) });
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer within a minute')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(answers(Buffer.concat(chunks))));
    socket.write(bytes);
  });
}

/** The text of a GET for `send`. With the default headers, it is the last one of its connection. */
export const getText = (path: string, headers = 'Connection: close\r\n'): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

function answers(bytes: Buffer): Answer[] {
  const found: Answer[] = [];
  let rest = bytes;
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length).toString();
    found.push(answer(Number(first.split(' ')[1]), headers, body));
    rest = rest.subarray(end + 4 + length);
  }
  return found;
}

const answer = (status: number, headers: Answer['headers'], text: string): Answer => ({
  status,
  headers,
  text,
  json: text === '' ? undefined : JSON.parse(text),
});
