// The page of a country or product, which loads its content, or says why there is none. It can also be printed.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { isFailure } from '../api/failure.ts';
import { loadEntity, type WithoutRevenue } from '../api/loadEntity.ts';
import { loadSnapshotId } from '../api/loadSnapshotId.ts';
import type { Entity } from '../model/entity.ts';
import { currentSnapshot } from '../model/facts.ts';
import { writePageAddress } from '../model/pageAddress.ts';
import { DEFAULT_QUESTION, type Question } from '../model/question.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import { AMBIGUITY } from '../texts/filterTexts.ts';
import { ANSWER, NOTICES, SERVICE } from '../texts/pageTexts.ts';
import { Button } from './button.tsx';
import { EntityBody } from './entityBody.tsx';
import { ExploreLink } from './entityLinks.tsx';
import { FailureNotice, type FailureNoticeProps } from './failureNotice.tsx';
import { IgnoredParts } from './ignoredParts.tsx';
import type { EntityProps } from './props.ts';
import { QuestionLink } from './questionLink.tsx';
import { useLoadable } from './useLoadable.ts';
import { Waiting } from './waiting.tsx';

/**
 * Loads the entity. The page follows only the entity and "as of"; all other parts of the address are listed as left out.
 */
export function EntityPage(props: EntityProps): VNode {
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
          <EntityBody {...props} entity={reply.value} />
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

function Missing(props: EntityProps & FailureNoticeProps): VNode {
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
function NoRevenue(props: EntityProps & { ambiguous: readonly string[] }): VNode {
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
