// Shows a question that must be answered before a chart can be drawn, in place of the chart.

import type { VNode } from 'preact';
import type { FieldErrors } from '../api/failure.ts';
import { dimensionLabel, valueLabel } from '../labels.ts';
import { CURRENCY, DEFAULT_CURRENCIES, WHOLE_COUNTRY } from '../model/facts.ts';
import { type Question, withFilter } from '../model/question.ts';
import type { AmbiguousPoint } from '../model/series.ts';
import { AMBIGUITY } from '../texts/filterTexts.ts';
import { Button } from './button.tsx';
import type { ViewProps } from './props.ts';

/** How many values have a button. */
const MAX_CHOICES = 6;

/** Asks for a value of each dimension over which the API refuses to add up. */
export function AmbiguousSum(props: ViewProps & { fields: FieldErrors }): VNode {
  const { fields, answer, go, question } = props;
  const dimensions = Object.keys(fields).filter((name) => AMBIGUITY.questions[name] !== undefined);
  if (dimensions.length === 0)
    return (
      <div class="notice warning" role="alert">
        <h2>{AMBIGUITY.refused}</h2>
        <ul>
          {Object.values(fields)
            .flat()
            .map((text) => (
              <li>
                <bdi>{text}</bdi>
              </li>
            ))}
        </ul>
      </div>
    );
  return (
    <div class="notice" role="status">
      {dimensions.map((dimension) => {
        const values = choices(
          dimension,
          question,
          (answer.counts.values[dimension] ?? []).map(({ value }) => String(value)),
        );
        return (
          <section key={dimension}>
            <h2>{AMBIGUITY.questions[dimension]?.title}</h2>
            <p>{AMBIGUITY.questions[dimension]?.why}</p>
            <p class="buttons">
              {values.slice(0, MAX_CHOICES).map((value, i) => (
                <Button
                  look={i === 0 ? 'filled' : 'plain'}
                  onClick={() => go(withFilter(question, dimension, [value]))}
                >
                  <bdi>{valueLabel(dimension, value)}</bdi>
                </Button>
              ))}
              {dimension === 'state' && (
                <Button
                  look="plain"
                  onClick={() => go({ ...withFilter(question, 'state', []), by: 'state' })}
                >
                  {AMBIGUITY.states}
                </Button>
              )}
            </p>
            {values.length > MAX_CHOICES && (
              <p class="quiet small">{AMBIGUITY.more(values.length - MAX_CHOICES, dimension)}</p>
            )}
          </section>
        );
      })}
    </div>
  );
}

/** The values that are offered: the chosen ones if there are several, otherwise all. The usual answers are first. */
function choices(dimension: string, question: Question, existing: readonly string[]): string[] {
  const chosen = question.filters[dimension];
  const values = chosen !== undefined && chosen.length > 1 ? chosen : existing;
  const usual = dimension === CURRENCY ? DEFAULT_CURRENCIES : [WHOLE_COUNTRY, 'Current', 'Reported'];
  const first = usual.filter((value) => values.includes(value));
  return [...first, ...values.filter((value) => !first.includes(value))];
}

/** Asks which of several values is meant, for a metric that does not add up. */
export function AmbiguousValues({
  point,
  question,
  go,
  answer,
}: ViewProps & { point: AmbiguousPoint }): VNode {
  const { valuesByDimension, name, year } = point;
  const { by } = answer.selection;
  const seriesName = name === '' ? '' : valueLabel(by ?? '', name);
  return (
    <div class="notice" role="status">
      <h2>{AMBIGUITY.several(seriesName)}</h2>
      <p>{AMBIGUITY.whichOne(year)}</p>
      {Object.entries(valuesByDimension).map(([dimension, values]) => (
        <section key={dimension}>
          <h3>{dimensionLabel(dimension)}</h3>
          <p class="buttons">
            {values.slice(0, MAX_CHOICES).map((value) => (
              <Button look="plain" onClick={() => go(withFilter(question, dimension, [value]))}>
                <bdi>{valueLabel(dimension, value)}</bdi>
              </Button>
            ))}
            <Button look="plain" onClick={() => go({ ...question, by: dimension })}>
              {AMBIGUITY.sideBySide}
            </Button>
          </p>
        </section>
      ))}
    </div>
  );
}

/** Asks for fewer countries, because their values do not add up and are too many to draw. */
export function TooManyRows({ rows }: { readonly rows: number }): VNode {
  return (
    <div class="notice" role="status">
      <h2>{AMBIGUITY.tooMany}</h2>
      <p>{AMBIGUITY.tooManyWhy(rows)}</p>
    </div>
  );
}
