// The page of one country or product: key figures, its place among the others, and its trends; useful printed.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Entity, entityOf, questionOf } from '../api/entity.ts';
import { html } from '../html.ts';
import { barYear, type ChartData, drawnChart } from '../model/chart.ts';
import { keyFigures } from '../model/keyFigures.ts';
import type { Question } from '../model/question.ts';
import { summaryOf, titleOf } from '../model/summary.ts';
import { currentSnapshot } from '../store.ts';
import { SERVICE } from '../texts.ts';
import { Chart } from './chart.ts';
import { NotesList, seriesLabel } from './chartParts.ts';
import { Failed } from './failed.ts';
import { Link } from './link.ts';
import type { WorkspaceProps } from './props.ts';
import { useReply } from './useReply.ts';

export interface EntityPageProps extends WorkspaceProps {
  readonly kind: Entity['kind'];
  readonly name: string;
}

export function EntityPage(props: EntityPageProps): VNode {
  const { kind, name, open, question } = props;
  const snapshot = question.asOf || currentSnapshot(open.facts);
  const asked = useReply<Entity>(`${kind} ${name} ${snapshot}`, (signal) =>
    entityOf(kind, name, question.asOf, open.facts, { ask: open.client.ask, snapshot, signal }),
  );
  useEffect(() => {
    document.title = `${name} · ${SERVICE}`;
  }, [name]);
  return html`<article class="entity">
    <p class="eyebrow">${kind === 'country' ? 'Country' : 'Product'}</p>
    <h1><bdi>${name}</bdi></h1>
    ${asked.kind === 'asking' && html`<p class="wait" role="status">Asking…</p>`}
    ${asked.kind === 'failed' && html`<${Missing} ...${props} asked=${asked} snapshot=${snapshot} />`}
    ${asked.kind === 'there' && html`<${Found} ...${props} entity=${asked.value} snapshot=${snapshot} />`}
  </article>`;
}

function Missing(
  props: EntityPageProps & {
    asked: Extract<ReturnType<typeof useReply>, { kind: 'failed' }>;
    snapshot: string;
  },
): VNode {
  const { asked, kind, name, snapshot, go, question } = props;
  const { failure } = asked;
  if (failure.kind !== 'refused' || Object.keys(failure.fields).length === 0)
    return html`<${Failed} ...${props} failure=${failure} again=${asked.again} snapshot=${snapshot} />`;
  const [, meant] = /did you mean "(.*)"\?$/s.exec(Object.values(failure.fields).flat()[0] ?? '') ?? [];
  return html`<div class="notice warning" role="alert">
    <h2>The data has no ${kind} <bdi>“${name}”</bdi></h2>
    ${meant !== undefined && html`<p>Did you mean <button type="button" class="text-button" onClick=${() => go({ ...question, page: { kind, name: meant } })}><bdi>${meant}</bdi></button>?</p>`}
  </div>`;
}

function Found(props: EntityPageProps & { entity: Entity; snapshot: string }): VNode {
  const { entity, snapshot, kind, name, question } = props;
  if (entity.whole === null) return html`<p class="notice">There is no revenue here.</p>`;
  const explore = questionOf(kind, name, question.asOf);
  return html`<div class="entity-body">
    <dl class="key-figures">${keyFigures(entity).map(
      ({ value, label, detail }) =>
        html`<div key=${label}><dd>${value}</dd><dt>${label}${detail !== null && html`<span>${detail}</span>`}</dt></div>`,
    )}</dl>
    ${entity.trends.map((trend) => html`<${Trend} key=${trend.question.by} ...${props} ...${trend} />`)}
    <p class="source">Source: ${SERVICE}, snapshot ${snapshot}. Money is converted at each year’s rate. Dashed: forecast. Gap: no value.</p>
    <p class="screen-only"><${Link} question=${explore} go=${props.go} root=${props.root}>Explore ${name} in full<//></p>
  </div>`;
}

function Trend({
  question,
  data,
  go,
  root,
}: WorkspaceProps & { question: Question; data: ChartData }): VNode {
  const [year, setYear] = useState<number | null>(null);
  const kind = drawnChart(data, data.selection.chart);
  const summary = summaryOf(data, kind, kind === 'bars' ? barYear(data, null) : null, seriesLabel(data));
  return html`<figure class="chart-figure trend">
    <figcaption><h2>${titleOf(data.selection)}</h2></figcaption>
    <${Chart} ...${{ data, kind, isLog: false, hasOwnScales: false, chosenYear: null, year, onYear: setYear, summary }} />
    <p class="summary">${summary}</p>
    <${NotesList} data=${data} question=${question} go=${go} />
    <p class="screen-only"><${Link} question=${question} go=${go} root=${root}>Open this chart<//></p>
  </figure>`;
}
