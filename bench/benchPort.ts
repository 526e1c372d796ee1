// Finds a free TCP port of this machine.

import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A port that is free now, as text for a setting. */
export async function freePort(): Promise<string> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return String(port);
}
