// The content of the page of a country or product: key figures, its place among the others, its trends, and its years.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type ChartData, drawnKind, yearOfBars } from '../model/chartData.ts';
import type { Entity } from '../model/entity.ts';
import { keyFigures } from '../model/keyFigures.ts';
import { bidiIsolated, withNonBreakingNumbers } from '../model/numberFormats.ts';
import type { Question } from '../model/question.ts';
import { subtitleOf, summaryOf, titleOf } from '../model/summary.ts';
import { legendText } from '../texts/chartTexts.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import { Chart } from './chart.tsx';
import { leftOutText, NotesList } from './chartNotes.tsx';
import { EntityLinks, ExploreLink } from './entityLinks.tsx';
import type { EntityProps } from './props.ts';
import { QuestionLink } from './questionLink.tsx';
import { RankingChart } from './rankingChart.tsx';
import { sourceText } from './sourceLine.tsx';
import { YearTable } from './yearTable.tsx';

/** Everything about an entity that has a revenue. */
export function EntityBody(props: EntityProps & { entity: Entity }): VNode {
  const { entity } = props;
  const { snapshot } = entity;
  const leftOut = [
    ...(entity.onlyState === null ? [] : [ENTITY.ofState(bidiIsolated(entity.onlyState))]),
    ...entity.leftOut.map(leftOutText),
  ];
  return (
    <div class="entity-body">
      <dl class="key-figures">
        {keyFigures(entity).map(({ value, label, detail }) => (
          <div key={label}>
            <dt>
              {label}
              {detail !== null && <span>{detail}</span>}
            </dt>
            <dd>{withNonBreakingNumbers(value)}</dd>
          </div>
        ))}
      </dl>
      {leftOut.length > 0 && (
        <div>
          {leftOut.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      {entity.ranking !== null && <RankingChart {...props} entity={entity} ranking={entity.ranking} />}
      {entity.trends.map((trend) => (
        <Trend key={trend.question.by} {...props} {...trend} snapshot={snapshot} />
      ))}
      <YearTable entity={entity} />
      <p class="source">
        {ENTITY.source(snapshot)} {legendText('lines', [entity.revenue], null)}
      </p>
      <p class="screen-only">
        <ExploreLink {...props} />
      </p>
    </div>
  );
}

function Trend({
  question,
  data,
  go,
  root,
  snapshot,
  kind,
  name,
}: EntityProps & { question: Question; data: ChartData; snapshot: string }): VNode {
  const [year, setYear] = useState<number | null>(null);
  const drawn = drawnKind(data, data.selection.chartKind);
  // The slider below bars chooses the year that they show.
  const onlyYear = yearOfBars(data, drawn, year);
  const summary = summaryOf(data, drawn, onlyYear);
  return (
    <figure class="chart-figure trend">
      <figcaption class="headline">
        <h2>{titleOf(data.selection)}</h2>
        <p>{subtitleOf(data, onlyYear)}</p>
      </figcaption>
      <Chart
        data={data}
        kind={drawn}
        isLog={false}
        hasOwnScales={false}
        onlyYear={onlyYear}
        year={year}
        onYear={setYear}
        summary={summary}
        source={sourceText(data.selection, snapshot)}
      />
      <p class="summary">{withNonBreakingNumbers(summary)}</p>
      <NotesList data={data} onlyYear={onlyYear} question={question} go={go} />
      <EntityLinks data={data} question={{ ...question, page: { kind, name } }} go={go} root={root} />
      <p class="screen-only">
        <QuestionLink question={question} go={go} root={root}>
          {ENTITY.open}
        </QuestionLink>
      </p>
    </figure>
  );
}
