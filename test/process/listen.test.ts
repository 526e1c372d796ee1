// A server listens on any address of this machine. A wrong HOST or a port in use causes a single line.

import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '../../src/config/config.ts';
import { listen } from '../../src/process/listen.ts';

describe('listen', () => {
  it.each([
    ['no-such-host.invalid', /^HOST: "no-such-host\.invalid" cannot be resolved to an address; .+$/],
    ['fe80::1', /^HOST: "fe80::1" (?:cannot be listened on; a link-local address needs its zone|is ).+$/],
    ['192.0.2.1', /^HOST: "192\.0\.2\.1" is not an address of this machine; use 127\.0\.0\.1$/],
  ])('says in one line why it cannot listen on HOST=%s', async (host, line) => {
    const error = await listen(net.createServer(), { port: 0, host }).catch((cause) => cause);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(line);
  });

  it.each(['PORT', 'METRICS_PORT'] as const)('says in one line that %s is in use', async (setting) => {
    const first = net.createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    await expect(listen(net.createServer(), { port, host: '127.0.0.1' }, setting)).rejects.toThrow(
      new ConfigError(
        `${setting}: ${port} on 127.0.0.1 is in use; stop what uses it, or choose another port`,
      ),
    );
    first.close();
  });

  it('listens on any address of this machine', async () => {
    const server = net.createServer();
    await listen(server, { port: 0, host: '127.0.0.2' });
    expect(server.address()).toMatchObject({ address: '127.0.0.2' });
    server.close();
  });
});
