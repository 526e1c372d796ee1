import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../bench/freePort.ts';
import { some } from '../support/depth.ts';
import { aKeyOf, serversOfTests } from '../support/process.ts';

const servers = serversOfTests();

describe('METRICS_PORT', () => {
  it.each(some(['2', '1'], 1))(
    'serves the sum of %s processes, and the log names the key by its id',
    async (PROCESSES) => {
      const METRICS_PORT = await freePort();
      const running = servers.start({ PORT: await freePort(), METRICS_PORT, PROCESSES });
      const url = await running.url();
      const key = await aKeyOf(servers.dataDir);
      const headers = { 'x-api-key': key, connection: 'close' };
      for (let i = 0; i < 12; i++) expect((await fetch(`${url}/v1/catalog`, { headers })).status).toBe(200);
      const answer = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`);
      const text = await answer.text();
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(text).toContain('data_api_key_verdicts_total{outcome="admitted"} 12\n');
      expect(text).toContain(
        'data_api_request_duration_seconds_count{route="/v1/catalog",status="200"} 12\n',
      );
      expect(text).toContain('data_api_snapshot_info{snapshot="2026-11.1"} 1\n');
      expect(text).toContain('data_api_redis_up 1\n');
      for (const cache of ['addresses', 'manifests', 'row texts', 'responses'])
        expect(text).toMatch(new RegExp(`data_api_cache_capacity_bytes\\{cache="${cache}"\\} [1-9]`));
      for (const [port, path] of [
        [METRICS_PORT, '/v1/catalog'],
        [new URL(url).port, '/metrics'],
      ])
        expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status).toBe(404);
      running.child.kill('SIGTERM');
      await expect(running.ended).resolves.toBe(0);
      const lines = running.stderr.split('\n').filter((line) => line.includes('"answered"'));
      const [first] = lines.map((line) => JSON.parse(line)).filter(({ route }) => route === '/v1/catalog');
      expect(first).toMatchObject({
        keyId: expect.stringMatching(/^[0-9a-z]{6,}$/),
        address: '127.0.0.1',
        method: 'GET',
        path: '/v1/catalog',
        route: '/v1/catalog',
        status: 200,
        bytes: expect.any(Number),
        durationMs: expect.any(Number),
        snapshot: '2026-11.1',
      });
      expect(running.stderr).not.toContain(key);
    },
  );

  it('that is in use stops the start with one line', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = String((other.address() as AddressInfo).port);
    const running = servers.start({ PORT: await freePort(), METRICS_PORT: taken });
    await expect(running.ended).resolves.toBe(2);
    other.close();
    expect(running.stderr).toBe(
      `METRICS_PORT: ${taken} on 127.0.0.1 is in use; stop what uses it, or choose another port\n`,
    );
  });
});
