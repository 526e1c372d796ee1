// The load generator, a process without libraries. It sends requests on keep-alive connections and reads the answers.

import net from 'node:net';

export interface LoadJob {
  readonly port: number;
  readonly clients: number;
  /** The paths, in the order of the requests. After the last path, the first follows again. */
  readonly paths: readonly string[];
  readonly headers?: string;
  /** The job ends after this many requests, or after `seconds` if that is earlier. */
  readonly requests?: number;
  readonly seconds?: number;
  readonly status?: number;
  /** Of this many answers, one is returned for checking. */
  readonly sampleEvery?: number;
  /** Whether each client follows the cursors from page to page, beginning with the first path. */
  readonly walk?: boolean;
}

export interface LoadResult {
  readonly answered: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  /** The share of a core that the generator used. */
  readonly cpuShare: number;
  readonly samples: readonly { readonly path: string; readonly body: string }[];
}

process.on('message', (job: LoadJob) => {
  void load(job).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function load(job: LoadJob): Promise<LoadResult> {
  const { clients, paths, status = 200 } = job;
  const latenciesMs: number[] = [];
  const samples: { path: string; body: string }[] = [];
  const startMs = performance.now();
  const endMs = startMs + (job.seconds ?? 3600) * 1000;
  const cpu = process.cpuUsage();
  let sent = 0;
  const next = () => {
    if (sent >= (job.requests ?? Number.POSITIVE_INFINITY) || performance.now() >= endMs) return null;
    return paths[sent++ % paths.length] ?? null;
  };
  const client = async () => {
    const connection = await connect(job.port);
    let path = next();
    while (path !== null) {
      const start = performance.now();
      const answer = await connection.ask(path, job.headers ?? '');
      latenciesMs.push(performance.now() - start);
      if (answer.status !== status)
        throw new Error(`${path} was answered with ${answer.status}: ${answer.body().slice(0, 200)}`);
      if (job.sampleEvery && latenciesMs.length % job.sampleEvery === 0)
        samples.push({ path, body: answer.body() });
      if (job.walk) {
        const cursor = /"cursor":"([\w-]+)"/.exec(answer.tail())?.[1];
        // `next` counts the request, and returns null when the job is over.
        path = cursor === undefined || next() === null ? null : `${paths[0]}&cursor=${cursor}`;
      } else path = next();
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    answered: latenciesMs.length,
    seconds,
    latenciesMs,
    cpuShare: (user + system) / 1e6 / seconds,
    samples,
  };
}

interface Reply {
  readonly status: number;
  body(): string;
  /** The last characters of the body, with the cursor. Decoding a whole page would be measured too. */
  tail(): string;
}

async function connect(port: number) {
  const socket = net.connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let settle: ((reply: Reply) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  let pieces: Buffer[] = [];
  let receivedBytes = 0;
  let expectedBytes = -1;
  let bodyAt = 0;
  let status = 0;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    receivedBytes += piece.length;
    if (expectedBytes < 0) {
      const head = pieces.length === 1 ? piece : Buffer.concat(pieces);
      pieces = [head];
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      bodyAt = end + 4;
      expectedBytes =
        bodyAt + (status === 304 ? 0 : Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN));
    }
    if (receivedBytes < expectedBytes) return;
    const all = pieces;
    const from = bodyAt;
    [pieces, receivedBytes, expectedBytes] = [[], 0, -1];
    const body = () => Buffer.concat(all).subarray(from).toString();
    settle?.({ status, body, tail: () => Buffer.concat(all.slice(-2)).subarray(-300).toString() });
  });
  socket.on('error', (error) => fail?.(error));
  socket.on('close', () => fail?.(new Error('the server closed the connection')));
  return {
    ask: (path: string, headers: string) =>
      new Promise<Reply>((resolve, reject) => {
        [settle, fail] = [resolve, reject];
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
      }),
    close: () => {
      fail = undefined;
      socket.destroy();
    },
  };
}
