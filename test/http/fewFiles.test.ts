// A server that has no free file descriptors recovers by itself.

import { execFileSync } from 'node:child_process';
import http from 'node:http';
import { expect, it } from '@jest/globals';
import { itInDepth } from '../support/depth.ts';
import { freePort } from '../support/freePort.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { aKeyOf, childrenOf, serversOfTests } from '../support/serverProcess.ts';
import { publishRows } from '../support/snapshot.ts';

const servers = serversOfTests();

it('a server that can open no more files answers 503 where it needs one, logs the cause, and recovers by itself', async () => {
  await publishRows(servers.dataDir, '2026-10.1');
  const running = servers.start({ PORT: await freePort() });
  const address = await running.url();
  const { pid } = running.child;
  const key = await aKeyOf(servers.dataDir);
  // All requests share one connection, because another one would need another descriptor.
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
      const sent = { agent, headers: { 'x-api-key': key, ...headers } };
      http
        .get(`${address}${path}`, sent, (response) => {
          const { statusCode: status = 0, headers: got } = response;
          response.resume().once('end', () => resolve({ status, retryAfter: got['retry-after'] }));
        })
        .once('error', reject);
    });
  const openFiles = (limit: number) =>
    execFileSync('sh', ['-c', `exec prlimit --pid ${pid} --nofile=${limit}:`]);
  const asked: [string, Record<string, string>?][] = [
    ['/v1/financials?metric=ggr', { 'x-snapshot': '2026-10' }],
    ['/v1/financials?metric=ggr', { 'x-snapshot': '2026-10-01' }],
    ['/v1/snapshots'],
    ['/v1/changes?dataset=ggr&since=2026-10'],
    ['/v1/export/ggr.parquet'],
    ['/v1/export/ggr.parquet?country=Malta'],
    ['/v1/export/ggr.xlsx'],
  ];
  expect(await ask('/v1/catalog')).toMatchObject({ status: 200 });
  openFiles(3);
  for (const [path, headers] of asked)
    expect([path, await ask(path, headers)]).toEqual([path, { status: 503, retryAfter: '1' }]);
  expect(await retryUnavailable(() => ask('/v1/financials?metric=ggr'))).toMatchObject({ status: 200 });
  openFiles(4096);
  expect(await retryUnavailable(() => ask('/v1/snapshots'))).toMatchObject({ status: 200 });
  agent.destroy();
  // The log is complete once the server has ended.
  running.child.kill('SIGTERM');
  await running.ended;
  expect(running.stderr).toMatch(/"level":50.*EMFILE.*"msg":"failed"/);
});

itInDepth(
  'metrics say that all files of a process are open, when it cannot open one to count them',
  async () => {
    const METRICS_PORT = await freePort();
    const running = servers.start({ PORT: await freePort(), METRICS_PORT, PROCESSES: '2' });
    await running.url();
    const files = async () => {
      const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
      return ['open', 'max'].map((kind) =>
        Number(new RegExp(`^process_${kind}_fds (\\d+)$`, 'm').exec(text)?.[1]),
      );
    };
    const [before = 0, most = 0] = await files();
    expect(before).toBeLessThan(most / 2);
    const [worker] = childrenOf(running.child.pid);
    execFileSync('sh', ['-c', `exec prlimit --pid ${worker} --nofile=3:`]);
    expect(await files()).toEqual([most, most]);
  },
);
