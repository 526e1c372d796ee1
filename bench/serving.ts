// Shared by the benchmarks of serving: sizes of the data, warm servers, and single requests.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LARGE_ROWS, mixes, pathOf, SMALL_ROWS } from './benchSnapshots.ts';
import type { LoadResult } from './loadGenerator.ts';
import { loadOf, type Running, ready, startOurs } from './measuredProcesses.ts';

export const ROUNDS = 3;
export const SIZES = [SMALL_ROWS, LARGE_ROWS] as const;
/** The answers a second of a job of the load generator. */
export const perSecond = ({ answered, seconds }: LoadResult) => answered / seconds;
/** How the name of a figure says which of the two sizes it is about. */
export const label = (rows: number) => (rows === SMALL_ROWS ? '30 k rows' : '3 M rows');

/** Sends 400 requests, so that V8 has compiled the server's code before the measurement. */
export const warm = (server: Running) =>
  loadOf({ ...server.to, clients: 4, paths: mixes(400, 1).map((mix) => pathOf(mix)), requests: 400 });

/** Starts a server and warms it up. */
export async function startWarm(dataDir: string): Promise<Running> {
  const server = await startOurs(dataDir);
  await ready(server);
  await warm(server);
  return server;
}

/**
 * Writes the body of an answer to a file, for a reference that sends the same bytes. The file is removed when this
 * process ends.
 */
export async function fileOf(answer: Response): Promise<string> {
  if (bodies === null) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'));
    process.once('exit', () => rmSync(folder, { recursive: true }));
    bodies = { folder, count: 0 };
  }
  const file = path.join(bodies.folder, `${bodies.count++}.json`);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}

/** The folder of all bodies. One listener removes it at the end of the process. */
let bodies: { readonly folder: string; count: number } | null = null;

/** Requests a path once, without compression. */
export const fetchOnce = ({ to }: Running, urlPath: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${to.port}${urlPath}`, {
    headers: { 'x-api-key': to.headers.slice('x-api-key: '.length, -2), 'Accept-Encoding': 'identity' },
  });
