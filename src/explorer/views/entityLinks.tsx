// Links to the pages of countries and products.

import type { VNode } from 'preact';
import type { ChartData } from '../model/chartData.ts';
import { entityQuestion } from '../model/entity.ts';
import { DEFAULT_QUESTION, type EntityKind } from '../model/question.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import type { EntityProps, PageProps } from './props.ts';
import { QuestionLink } from './questionLink.tsx';

type LinkProps = Pick<PageProps, 'question' | 'go' | 'root'>;

/** Links to the pages of the countries or products that the chart shows. */
export function EntityLinks({
  data,
  question,
  go,
  root,
}: LinkProps & { readonly data: ChartData }): VNode | null {
  const { selection, series } = data;
  const kinds = ['country', 'product'] as const;
  const kind =
    kinds.find((one) => selection.by === one) ?? kinds.find((one) => selection.filters[one]?.length === 1);
  if (kind === undefined || selection.dataset.metrics.length === 0) return null;
  const names =
    selection.by === kind
      ? series.filter((one) => one.kind === 'value').map(({ name }) => name)
      : (selection.filters[kind] ?? []);
  // A page does not link to itself.
  const others = names.filter((name) => question.page.kind !== kind || question.page.name !== name);
  return <PageLinks kind={kind} names={others} question={question} go={go} root={root} />;
}

interface PageLinksProps extends LinkProps {
  readonly kind: EntityKind;
  readonly names: readonly string[];
}

/** A list of links to the pages of these countries or products, as of the same snapshot; nothing without names. */
export function PageLinks({ kind, names, question, go, root }: PageLinksProps): VNode | null {
  if (names.length === 0) return null;
  const links = names.map((name) => (
    <li key={name}>
      <QuestionLink
        go={go}
        root={root}
        question={{ ...DEFAULT_QUESTION, asOf: question.asOf, page: { kind, name } }}
      >
        {name}
      </QuestionLink>
    </li>
  ));
  return (
    <div class="entity-links">
      <span>{ENTITY.pages[kind]}</span>
      <ul>{links}</ul>
    </div>
  );
}

/** A link to the chart of an entity's revenue in the explorer. */
export function ExploreLink({ kind, name, question, go, root }: EntityProps): VNode {
  return (
    <QuestionLink question={entityQuestion(kind, name, question.asOf)} go={go} root={root}>
      {ENTITY.explore(name)}
    </QuestionLink>
  );
}
