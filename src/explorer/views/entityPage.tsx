// The page of a country or product: key figures, its place among the others, and its trends. It can also be printed.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isFailure } from '../api/failure.ts';
import { entityQuestion, loadEntity, type WithoutRevenue } from '../api/loadEntity.ts';
import { loadSnapshotId } from '../api/loadSnapshotId.ts';
import { type ChartData, drawnKind, yearOfBars } from '../model/chartData.ts';
import type { Entity } from '../model/entity.ts';
import { currentSnapshot } from '../model/facts.ts';
import { keyFigures } from '../model/keyFigures.ts';
import { bidiIsolated, withNonBreakingNumbers } from '../model/numberFormats.ts';
import { writePageAddress } from '../model/pageAddress.ts';
import { DEFAULT_QUESTION, type EntityKind, type Question } from '../model/question.ts';
import { subtitleOf, summaryOf, titleOf } from '../model/summary.ts';
import { legendText } from '../texts/chartTexts.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import { AMBIGUITY } from '../texts/filterTexts.ts';
import { ANSWER, NOTICES, SERVICE } from '../texts/pageTexts.ts';
import { Button } from './buttons.tsx';
import { Chart } from './chart.tsx';
import { leftOutText, NotesList } from './chartNotes.tsx';
import { EntityLinks } from './entityLinks.tsx';
import { FailureNotice, type FailureNoticeProps } from './failureNotice.tsx';
import { IgnoredParts } from './ignoredParts.tsx';
import type { WorkspaceProps } from './props.ts';
import { QuestionLink } from './questionLink.tsx';
import { RankingChart } from './rankingChart.tsx';
import { sourceText } from './sourceLine.tsx';
import { useLoadable } from './useLoadable.ts';
import { Waiting } from './waiting.tsx';
import { YearTable } from './yearTable.tsx';

export interface EntityPageProps extends WorkspaceProps {
  readonly kind: EntityKind;
  readonly name: string;
}

/**
 * Loads the entity. The page follows only the entity and "as of"; all other parts of the address are listed as left out.
 */
export function EntityPage(props: EntityPageProps): VNode {
  const { kind, name, openState, question, ignored } = props;
  const named = question.asOf || currentSnapshot(openState.facts);
  const reply = useLoadable<Entity | WithoutRevenue>(`${kind} ${name} ${named}`, async (signal) => {
    const { ask } = openState.client;
    const pinned = await loadSnapshotId(named, DEFAULT_QUESTION.dataset, openState.facts, { ask, signal });
    if (isFailure(pinned)) return pinned;
    return loadEntity({ kind, name, asOf: question.asOf }, openState.facts, { ask, ...pinned, signal });
  });
  useEffect(() => {
    document.title = `${name} · ${SERVICE}`;
  }, [name]);
  return (
    <article class="entity">
      <p class="eyebrow">{ENTITY.kinds[kind]}</p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <IgnoredParts
        unknownNames={[]}
        ignored={[...ignored, ...unusedParts(question)]}
        lead={ENTITY.leftOut}
      />
      {reply.kind === 'loading' && <Waiting text={ANSWER.asking} />}
      {reply.kind === 'failed' && (
        <Missing {...props} failure={reply.failure} retry={reply.retry} snapshot={named} />
      )}
      {reply.kind === 'loaded' &&
        (reply.value.kind === 'without revenue' ? (
          <NoRevenue {...props} ambiguous={Object.keys(reply.value.ambiguous)} />
        ) : (
          <Found {...props} entity={reply.value} />
        ))}
    </article>
  );
}

/**
 * The parts of an address that this page does not use, because its figures are always those of all rows in one
 * currency.
 */
function unusedParts(question: Question): string[] {
  const address = writePageAddress({ ...question, page: DEFAULT_QUESTION.page, asOf: DEFAULT_QUESTION.asOf });
  return [...new URLSearchParams(address.replace(/^\?/, ''))].map(([name, value]) => `${name}=${value}`);
}

function Missing(props: EntityPageProps & FailureNoticeProps): VNode {
  const { failure, kind, name, go, question } = props;
  if (failure.kind !== 'refused' || Object.keys(failure.fieldErrors).length === 0)
    return <FailureNotice {...props} />;
  const [, meant] = /did you mean "(.*)"\?$/s.exec(Object.values(failure.fieldErrors).flat()[0] ?? '') ?? [];
  return (
    <div class="notice warning" role="alert">
      <h2>
        {ENTITY.missing(kind)} <bdi>“{name}”</bdi>
      </h2>
      {meant !== undefined && (
        <p>
          {NOTICES.meant}{' '}
          <Button look="text" onClick={() => go({ ...question, page: { kind, name: meant } })}>
            <bdi>{meant}</bdi>
          </Button>
          ?
        </p>
      )}
      <p>
        <QuestionLink question={{ ...DEFAULT_QUESTION, asOf: question.asOf }} go={go} root={props.root}>
          {ENTITY.exploreAll}
        </QuestionLink>
      </p>
    </div>
  );
}

/** Says that there is no revenue, or over which dimensions it does not add up. */
function NoRevenue(props: EntityPageProps & { ambiguous: readonly string[] }): VNode {
  const { ambiguous } = props;
  if (ambiguous.length === 0) return <p class="notice">{ENTITY.noRevenue}</p>;
  return (
    <div class="notice" role="status">
      <p>{ENTITY.ambiguous}</p>
      {ambiguous.map((dimension) => (
        <p key={dimension}>{AMBIGUITY.questions[dimension]?.why ?? AMBIGUITY.refused}</p>
      ))}
      <p>
        <ExploreLink {...props} />
      </p>
    </div>
  );
}

/** A link to the chart of the entity's revenue in the explorer. */
function ExploreLink({ kind, name, question, go, root }: EntityPageProps): VNode {
  return (
    <QuestionLink question={entityQuestion(kind, name, question.asOf)} go={go} root={root}>
      {ENTITY.explore(name)}
    </QuestionLink>
  );
}

function Found(props: EntityPageProps & { entity: Entity }): VNode {
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
            <dd>{withNonBreakingNumbers(value)}</dd>
            <dt>
              {label}
              {detail !== null && <span>{detail}</span>}
            </dt>
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
}: EntityPageProps & { question: Question; data: ChartData; snapshot: string }): VNode {
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
