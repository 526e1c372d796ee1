// Serves a data directory without keys, and prints the port. Faults are logged on stderr.
// Argument: DATA_DIR.

import type { AddressInfo } from 'node:net';
import { followSnapshots } from '../../../src/catalog/snapshots.ts';
import { createApp } from '../../../src/http/app.ts';
import { admitEverybody } from '../../../src/http/middleware/authenticator.ts';
import { createServer } from '../../../src/http/server/server.ts';
import { logTo } from '../../../src/log/log.ts';
import { createSelector, SELECTOR_DEFAULTS } from '../../../src/query/selection/selector.ts';

const [dataDir = ''] = process.argv.slice(2);
const observe = logTo({
  info() {},
  warn() {},
  error: (_facts, message) => void process.stderr.write(`${message}\n`),
});
const snapshots = followSnapshots({ dataDir, maxBytes: 2 ** 31, connections: 4, observe, pollMs: 100 });
await snapshots.firstPoll;
const selector = createSelector(SELECTOR_DEFAULTS);
const settings = { cacheMaxAgeSeconds: 3600, publicUrl: 'http://127.0.0.1' };
const app = createApp({ snapshots, selector, observe, authenticator: admitEverybody, settings });
const { server } = createServer(app, observe, admitEverybody);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
