// Shows facts about the dataset: units, dimensions, what must not be added, sources with checksums, and citations.

import type { VNode } from 'preact';
import type { Answer } from '../api/answerQuestion.ts';
import type { DatasetFacts } from '../api/responseTypes.ts';
import { dimensionLabel, metricLabel } from '../labels.ts';
import { countText } from '../model/numberFormats.ts';
import { writePageAddress } from '../model/pageAddress.ts';
import { DEFAULT_QUESTION } from '../model/question.ts';
import { listText, titleOf } from '../model/summary.ts';
import { ANSWER } from '../texts/pageTexts.ts';
import { ABOUT } from '../texts/viewTexts.ts';
import { CopyButton } from './copyButton.tsx';
import { FailureNotice } from './failureNotice.tsx';
import type { ViewProps } from './props.ts';
import { ScrollBox } from './scrollBox.tsx';
import { useLoadable } from './useLoadable.ts';
import { Waiting } from './waiting.tsx';

/** Loads the facts about the dataset in the snapshot that is shown. */
export function AboutView(props: ViewProps): VNode {
  const { answer, openState } = props;
  const { name } = answer.selection.dataset;
  const { snapshot } = answer;
  // The facts loaded at the start describe the current snapshot, not an older one.
  const facts = useLoadable<DatasetFacts>(`${name} ${snapshot}`, async (signal) => {
    const reply = await openState.client.ask<DatasetFacts>(`/v1/datasets/${name}`, [], { snapshot, signal });
    return reply.kind === 'ok' ? reply.body : reply;
  });
  if (facts.kind === 'loaded') return <Facts {...props} dataset={facts.value} />;
  return (
    <section class="about-view">
      <h1>{ABOUT.title(name)}</h1>
      {facts.kind === 'loading' ? (
        <Waiting text={ANSWER.asking} />
      ) : (
        <FailureNotice {...props} failure={facts.failure} retry={facts.retry} snapshot={snapshot} />
      )}
    </section>
  );
}

function Facts({ answer, openState, dataset, root }: ViewProps & { dataset: DatasetFacts }): VNode {
  const snapshot = openState.facts.snapshots.find(({ id }) => id === answer.snapshot) ?? null;
  const { years } = dataset;
  // The cited address leads to the chart of the question, not to this view, and stays on this snapshot.
  const address =
    root + writePageAddress({ ...answer.question, view: DEFAULT_QUESTION.view, asOf: answer.snapshot });
  return (
    <section class="about-view">
      <h1>{ABOUT.title(dataset.name)}</h1>
      <p class="lead">
        {dataset.description}. {ABOUT.rows(dataset.row_count)}
        {years.first === null ? '' : ABOUT.years(years.first, years.last)}.
      </p>
      {dataset.metrics.length > 0 && (
        <>
          <h2>{ABOUT.units}</h2>
          <ScrollBox label={ABOUT.units}>
            <table aria-label={ABOUT.units}>
              <thead>
                <tr>
                  {ABOUT.heads.map((head) => (
                    <th scope="col">{head}</th>
                  ))}
                  <th scope="col" class="number">
                    {ABOUT.missing}
                  </th>
                </tr>
              </thead>
              <tbody>
                {dataset.metrics.map(({ name, unit, adds_up, adds_up_over_years, missing }) => (
                  <tr>
                    <th scope="row">
                      {metricLabel(name)} <code>{name}</code>
                    </th>
                    <td>{unit}</td>
                    <td>{adds_up ? (adds_up_over_years ? ABOUT.yes : ABOUT.withinYear) : ABOUT.no}</td>
                    <td class="number">{countText(missing)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </>
      )}
      {dataset.not_additive_over.length > 0 && (
        <>
          <h2>{ABOUT.notAdded}</h2>
          <p>
            {ABOUT.notAddedOver(
              listText(
                dataset.not_additive_over.map((name) => `“${dimensionLabel(name)}”`),
                'and',
              ),
            )}
          </p>
        </>
      )}
      <h2>{ABOUT.dimensions}</h2>
      <dl class="terms">
        {dataset.dimensions.map(({ name, description, values }) => (
          <div>
            <dt>
              {dimensionLabel(name)} <code>{name}</code>
            </dt>
            <dd>
              {description}.{ABOUT.meanings[name]} {ABOUT.values(values)}.
            </dd>
          </div>
        ))}
      </dl>
      <h2>{ABOUT.sources}</h2>
      <p>
        {ABOUT.snapshot} <strong>{answer.snapshot}</strong>
        {snapshot !== null && (
          <>
            {ABOUT.published(snapshot.published_at)} <code class="breakable">{snapshot.fingerprint}</code>
          </>
        )}
        . {ABOUT.forEver}
      </p>
      {dataset.sources.length > 0 && (
        <ul class="plain-list">
          {dataset.sources.map(({ file, sha256, bytes }) => (
            <li>
              <bdi>{file}</bdi>
              {ABOUT.bytes(bytes)} <code class="breakable">{sha256}</code>
            </li>
          ))}
        </ul>
      )}
      <h2>{ABOUT.cite}</h2>
      {citations(answer, snapshot?.published_at ?? null, address).map(({ label, text }) => (
        <div class="cite">
          <p>{text}</p>
          <CopyButton text={() => text} label={label} />
        </div>
      ))}
    </section>
  );
}

/**
 * A short citation for a chart, and a full one for a list of sources, with the labels of their buttons.
 *
 * @param published when the snapshot was published, in ISO 8601; null when it is not known.
 */
function citations(
  { selection, snapshot }: Answer,
  published: string | null,
  address: string,
): { label: string; text: string }[] {
  const { name } = selection.dataset;
  const full = ABOUT.fullCitation(name, snapshot, {
    title: titleOf(selection, Number.POSITIVE_INFINITY),
    published: published?.slice(0, 10) ?? null,
    address,
    retrieved: new Date().toISOString().slice(0, 10),
  });
  return [
    { label: ABOUT.citeShort, text: ABOUT.citation(name, snapshot) },
    { label: ABOUT.citeFull, text: full },
  ];
}
