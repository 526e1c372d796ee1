// What to know before using a number: units, what must not be added, sources, and how to cite it.

import type { VNode } from 'preact';
import type { DatasetFacts } from '../api/shapes.ts';
import { html } from '../html.ts';
import { citations } from '../model/cite.ts';
import { grouped } from '../model/format.ts';
import { listed } from '../model/summary.ts';
import { datasetLabel, dimensionLabel, metricLabel } from '../texts.ts';
import { Copy } from './copy.ts';
import { Failed } from './failed.ts';
import type { ViewProps } from './props.ts';
import { useReply } from './useReply.ts';

export function AboutView(props: ViewProps): VNode {
  const { shown, open } = props;
  const { name } = shown.counted.selection.dataset;
  const { snapshot } = shown;
  // The facts that the explorer started with are those of the current snapshot.
  const asked = useReply<DatasetFacts>(`${name} ${snapshot}`, async (signal) => {
    const reply = await open.client.ask<DatasetFacts>(`/v1/datasets/${name}`, [], { snapshot, signal });
    return reply.kind === 'ok' ? reply.body : reply;
  });
  if (asked.kind === 'there') return html`<${Facts} ...${props} dataset=${asked.value} />`;
  return html`<section class="about-view"><h1>About ${datasetLabel(name).toLowerCase()}</h1>
    ${asked.kind === 'asking' ? html`<p class="wait" role="status">Asking…</p>` : html`<${Failed} ...${props} failure=${asked.failure} again=${asked.again} snapshot=${snapshot} />`}
  </section>`;
}

function Facts({ shown, open, dataset }: ViewProps & { dataset: DatasetFacts }): VNode {
  const snapshot = open.facts.snapshots.find(({ id }) => id === shown.snapshot) ?? null;
  const { years } = dataset;
  const cite = citations({
    selection: shown.counted.selection,
    snapshot: shown.snapshot,
    published: snapshot?.published_at ?? null,
    address: location.href,
    today: new Date(),
  });
  return html`<section class="about-view">
    <h1>About ${datasetLabel(dataset.name).toLowerCase()}</h1>
    <p class="lead">${dataset.description}. ${grouped(dataset.row_count)} rows${years.first === null ? '' : `, ${years.first} to ${years.last}`}.</p>
    ${
      dataset.metrics.length > 0 &&
      html`<h2>Values and units</h2>
      <div class="table-box" tabindex="0" role="region" aria-label="Values and units"><table><thead><tr><th scope="col">Value</th><th scope="col">Unit</th><th scope="col">Adds up</th><th scope="col" class="number">Missing</th></tr></thead>
      <tbody>${dataset.metrics.map(({ name, unit, adds_up, missing }) => html`<tr><th scope="row">${metricLabel(name)} <code>${name}</code></th><td>${unit}</td><td>${adds_up ? 'yes' : 'no'}</td><td class="number">${grouped(missing)}</td></tr>`)}</tbody></table></div>`
    }
    ${
      dataset.not_additive_over.length > 0 &&
      html`<h2>What must not be added</h2>
      <p>Values must not be added over several of: ${listed(
        dataset.not_additive_over.map((name) => dimensionLabel(name).toLowerCase()),
        'and',
      )}. Each of their values counts in full. The explorer takes one of them and says so.</p>`
    }
    <h2>Dimensions</h2>
    <dl class="terms">${dataset.dimensions.map(({ name, description, values }) => html`<div><dt>${dimensionLabel(name)} <code>${name}</code></dt><dd>${description}. ${grouped(values)} ${values === 1 ? 'value' : 'values'}.</dd></div>`)}</dl>
    <h2>Snapshot and sources</h2>
    <p>Snapshot <strong>${shown.snapshot}</strong>${snapshot !== null && html`, published ${moment(snapshot.published_at)}, fingerprint <code class="breakable">${snapshot.fingerprint}</code>`}. A snapshot never changes: a link with “as of” repeats its numbers for as long as it is retained.</p>
    ${dataset.sources.length > 0 && html`<ul class="plain-list">${dataset.sources.map(({ file, sha256, bytes }) => html`<li><bdi>${file}</bdi>, ${grouped(bytes)} bytes, sha256 <code class="breakable">${sha256}</code></li>`)}</ul>`}
    <h2>Cite this</h2>
    ${cite.map(({ label, text }) => html`<div class="cite"><p>${text}</p><${Copy} text=${() => text} label=${label} /></div>`)}
  </section>`;
}

const moment = (iso: string): string => `${iso.slice(0, 10)}, ${iso.slice(11, 16)} UTC`;
