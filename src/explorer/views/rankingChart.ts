// Shows the rank of a country or product and its neighbours as bars. The bar of the entity itself is coloured.

import type { VNode } from 'preact';
import { drawBars } from '../chart/bars.ts';
import { html } from '../htmTemplate.ts';
import type { Entity, Place } from '../model/entity.ts';
import { bidiIsolated, readable } from '../model/numberFormats.ts';
import type { Series } from '../model/series.ts';
import { listed, unitText } from '../model/summary.ts';
import { ENTITY, FIGURES } from '../texts/entityTexts.ts';
import { few, PageLinks } from './chartParts.ts';
import type { WorkspaceProps } from './props.ts';
import { useDrawing } from './useDrawing.ts';

interface PlaceProps extends WorkspaceProps {
  readonly entity: Entity;
  readonly place: Place;
}

/** The bars, and links to the neighbours. */
export function PlaceChart({ entity, place, go, root, question }: PlaceProps): VNode {
  const { kind, name, year, unit } = entity;
  const { around, leftOut } = place;
  const series = around.map(
    ({ name, value }): Series => ({
      name,
      kind: 'value',
      members: 1,
      points: [{ year, value, forecast: 0, rows: 1 }],
    }),
  );
  const rankOf = new Map(around.map((one) => [one.name, one.rank]));
  const { box } = useDrawing(
    (width) =>
      drawBars(series, {
        width,
        year,
        unit: unitText(unit),
        colour: (one) => (one.name === name ? 'var(--s1)' : 'var(--grey)'),
        label: (one) => `${rankOf.get(one.name) ?? ''}. ${one.name}`,
        value: (value) => readable(value, unit),
      }).svg,
    [place, year],
  );
  const values = around.map((one) => `${one.rank}. ${bidiIsolated(one.name)} ${readable(one.value, unit)}`);
  const summary = ENTITY.placeSummary(kind, year, values.join(', '));
  const others = around.map((one) => one.name).filter((one) => one !== name);
  return html`<figure class="chart-figure trend">
    <figcaption class="headline"><h2>${ENTITY.placeTitle(kind)}</h2><p>${ENTITY.placed(bidiIsolated(name), place, kind, year)}${place.hasForecasts ? `; ${FIGURES.someForecasts}` : ''}</p>${leftOut.length > 0 && html`<p class="left-out">${ENTITY.notPlaced(kind, few(leftOut), leftOut.length, year)}</p>`}</figcaption>
    <div class="chart" role="img" aria-label=${summary} ref=${box}></div>
    <p class="unseen">${listed(values, 'and')}</p>
    <${PageLinks} kind=${kind} names=${others} question=${question} go=${go} root=${root} />
  </figure>`;
}
