// Shows the rank of a country or product and its neighbours as bars. The bar of the entity itself is coloured.

import type { VNode } from 'preact';
import { drawBars } from '../chart/bars.ts';
import type { Entity, EntityRanking } from '../model/entity.ts';
import { bidiIsolated, readableText } from '../model/numberFormats.ts';
import type { Series } from '../model/series.ts';
import { listText, shortList, unitText } from '../model/summary.ts';
import { ENTITY, FIGURES } from '../texts/entityTexts.ts';
import { PageLinks } from './entityLinks.tsx';
import type { WorkspaceProps } from './props.ts';
import { useDrawing } from './useDrawing.ts';

interface RankingChartProps extends WorkspaceProps {
  readonly entity: Entity;
  readonly ranking: EntityRanking;
}

/** The bars, and links to the neighbours. */
export function RankingChart({ entity, ranking, go, root, question }: RankingChartProps): VNode {
  const { kind, name, year, unit } = entity;
  const { neighbours, leftOutCountries } = ranking;
  const series = neighbours.map(
    ({ name, value }): Series => ({
      name,
      kind: 'value',
      memberCount: 1,
      points: [{ year, value, forecastShare: 0, rowCount: 1 }],
    }),
  );
  const rankOf = new Map(neighbours.map((one) => [one.name, one.rank]));
  const { box } = useDrawing(
    (width) =>
      drawBars(series, {
        width,
        year,
        unit: unitText(unit),
        colour: (one) => (one.name === name ? 'var(--s1)' : 'var(--grey)'),
        label: (one) => `${rankOf.get(one.name) ?? ''}. ${one.name}`,
        value: (value) => readableText(value, unit),
      }).svg,
    [ranking, year],
  );
  const values = neighbours.map(
    (one) => `${one.rank}. ${bidiIsolated(one.name)} ${readableText(one.value, unit)}`,
  );
  const summary = ENTITY.rankingSummary(kind, year, values.join(', '));
  const others = neighbours.map((one) => one.name).filter((one) => one !== name);
  return (
    <figure class="chart-figure trend">
      <figcaption class="headline">
        <h2>{ENTITY.rankingTitle(kind)}</h2>
        <p>
          {ENTITY.rankedAs(bidiIsolated(name), ranking, kind, year)}
          {ranking.hasForecasts ? `; ${FIGURES.someForecasts}` : ''}
        </p>
        {leftOutCountries.length > 0 && (
          <p class="left-out">
            {ENTITY.notRanked(kind, shortList(leftOutCountries), leftOutCountries.length, year)}
          </p>
        )}
      </figcaption>
      <div class="chart" role="img" aria-label={summary} ref={box}></div>
      <p class="unseen">{listText(values, 'and')}</p>
      <PageLinks kind={kind} names={others} question={question} go={go} root={root} />
    </figure>
  );
}
