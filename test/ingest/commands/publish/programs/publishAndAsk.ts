// Publishes two months, and asks a server about the second one. The second month is published by accepting its findings.
// Arguments: DATA_DIR FIRST_FOLDER SECOND_FOLDER PATH…. Prints a `PublishedAndAsked`.

import type { AddressInfo } from 'node:net';
import { publishMonth } from '../../../../../ingest/commands/publish/publishMonth.ts';
import type { PublishOptions } from '../../../../../ingest/commands/publish/publishOptions.ts';
import type { PublishResult } from '../../../../../ingest/commands/publish/publishResult.ts';
import type { Rule } from '../../../../../ingest/guards/finding.ts';
import { followSnapshots } from '../../../../../src/catalog/snapshots.ts';
import { createApp } from '../../../../../src/http/app.ts';
import { admitEverybody } from '../../../../../src/http/middleware/authenticator.ts';
import { createSelector, SELECTOR_DEFAULTS } from '../../../../../src/query/selection/selector.ts';
import { publishDefaults, SILENT } from '../../../../support/month.ts';

export interface PublishedAndAsked {
  /** The results for the first month, for the second one, and for the second one with its findings accepted. */
  readonly statuses: readonly PublishResult['status'][];
  /** The findings about the second month. */
  readonly findings: readonly { readonly dataset: string; readonly rules: readonly Rule[] }[];
  /** The answer to each path. */
  readonly answers: Readonly<Record<string, { readonly status: number; readonly body: string }>>;
}

const [dataDir = '', first = '', second = '', ...paths] = process.argv.slice(2);

const publish = (directory: string, month: string, more: Partial<PublishOptions> = {}) =>
  publishMonth({ ...publishDefaults(), dataDir, directory, month, ...more }, SILENT);
const results = [await publish(first, '2026-10'), await publish(second, '2026-11')];
const findings = (results[1]?.findings ?? []).map(({ dataset, rules }) => ({ dataset, rules }));
const refusing = new Set((results[1]?.findings ?? []).map(({ rule }) => rule));
const accept = [...refusing].map((rule) => ({ rule, dataset: null, reason: 'test' }));
results.push(await publish(second, '2026-11', { accept }));

const observe = () => {};
const snapshots = followSnapshots({ dataDir, maxBytes: 2 ** 30, connections: 2, observe });
await snapshots.loaded;
const selector = createSelector(SELECTOR_DEFAULTS);
const settings = { cacheMaxAgeSeconds: 0, publicUrl: 'http://127.0.0.1' };
const app = createApp({ snapshots, selector, observe, authenticator: admitEverybody, settings });
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;
const answers: Record<string, { status: number; body: string }> = {};
for (const path of paths) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  answers[path] = { status: response.status, body: (await response.text()).slice(0, 4000) };
}
const printed: PublishedAndAsked = { statuses: results.map(({ status }) => status), findings, answers };
process.stdout.write(`${JSON.stringify(printed)}\n`, () => process.exit(0));
