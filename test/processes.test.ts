import { once } from 'node:events';
import { existsSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../bench/freePort.ts';
import { itInDepth } from './support/depth.ts';
import { aKeyOf, childrenOf, serversOfTests } from './support/process.ts';
import { talk } from './support/sockets.ts';

const servers = serversOfTests();

describe('several processes on one port', () => {
  it('answer as one, live through resets, replace one that dies, and end together', async () => {
    const running = servers.start({ PORT: await freePort(), PROCESSES: '2' }, '--invite');
    const url = await running.url();
    const headers = { 'x-api-key': await aKeyOf(servers.dataDir), connection: 'close' };
    const ask = async () =>
      (await fetch(`${url}/v1/catalog`, { headers })).headers.get('x-ratelimit-remaining');
    const remaining = [];
    for (let i = 0; i < 6; i++) remaining.push(await ask());
    // One limit for both.
    expect(remaining).toEqual(['99', '98', '97', '96', '95', '94']);

    const workers = childrenOf(running.child.pid);
    expect(workers).toHaveLength(2);
    // Connections that are reset behind CONNECT have no listener of their own for errors.
    for (let i = 0; i < 40; i++)
      await talk(url, ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'], {
        after: (socket) => setTimeout(() => socket.resetAndDestroy(), i % 5),
      });
    expect((await fetch(`${url}/v1/catalog`)).status).toBe(401);
    expect(childrenOf(running.child.pid)).toEqual(workers);
    expect(running.stderr).not.toMatch(/died|unhandled/i);

    const [victim = 0] = workers;
    process.kill(victim, 'SIGKILL');
    const replaced = () => {
      const now = childrenOf(running.child.pid);
      return now.length === 2 && !now.includes(victim);
    };
    while (!replaced()) {
      // A connection may have been its own.
      const left = await ask().catch(() => 'reset');
      expect(left).not.toBeNull();
      await sleep(50);
    }

    running.child.kill('SIGTERM');
    await expect(running.ended).resolves.toBe(0);
    expect(childrenOf(running.child.pid)).toEqual([]);
    expect(existsSync(path.join(servers.dataDir, 'redis', 'redis.sock'))).toBe(false);
    expect(running.stdout).toMatch(
      new RegExp(
        `^Listening on ${url}\nClaim a key:\n${url}/claim/\\w+\nThen ask: curl .* ${url}/v1/catalog\n$`,
      ),
    );
  });

  itInDepth('replace one that dies before all of them listen', async () => {
    const PORT = await freePort();
    const running = servers.start({ PORT, PROCESSES: '2' });
    // The other is started when the first one listens.
    const answers = () => fetch(`http://127.0.0.1:${PORT}/`).catch(() => null);
    while ((await answers()) === null) await sleep(20);
    while (childrenOf(running.child.pid).length < 2) await sleep(20);
    expect(running.stdout).toBe('');
    const victim = Math.max(...childrenOf(running.child.pid));
    process.kill(victim, 'SIGKILL');
    await running.url();
    const workers = childrenOf(running.child.pid);
    expect(workers).toHaveLength(2);
    expect(workers).not.toContain(victim);
  });

  it('say once why they cannot serve', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const running = servers.start({ PORT: String(port), PROCESSES: '3' });
    await expect(running.ended).resolves.toBe(2);
    other.close();
    expect(running.stdout).toBe('');
    expect(running.stderr.match(/is in use/g)).toHaveLength(1);
  });
});
