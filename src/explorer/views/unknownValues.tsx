// The notice for filter values that the data does not have.

import type { VNode } from 'preact';
import type { FieldErrors } from '../api/failure.ts';
import { valueLabel } from '../labels.ts';
import { type Question, withFilter } from '../model/question.ts';
import { NOTICES } from '../texts/pageTexts.ts';
import { Button } from './button.tsx';
import type { Go } from './props.ts';

interface UnknownValuesProps {
  readonly fields: FieldErrors;
  readonly question: Question;
  readonly go: Go;
}

/** Lists the values, each with the value that was probably meant, and offers to go on without them. */
export function UnknownValues({ fields, question, go }: UnknownValuesProps): VNode {
  const all = Object.entries(fields).flatMap(([dimension, messages]) =>
    messages.map((message) => ({ dimension, ...readMessage(message) })),
  );
  const without = all.reduce((rest, { dimension, value }) => drop(rest, dimension, value), question);
  return (
    <div class="notice warning" role="alert">
      <h2>{NOTICES.noValues(all.length)}</h2>
      <ul class="plain-list">
        {all.slice(0, 10).map(({ dimension, value, meant, text }) => (
          <li>
            {value === null ? (
              <bdi>{text}</bdi>
            ) : (
              <>
                {NOTICES.hasNo(dimension)} <bdi>“{value}”</bdi>.
              </>
            )}
            {meant !== null && value !== null && (
              <>
                {' '}
                {NOTICES.meant}{' '}
                <Button look="text" onClick={() => go(swap(question, dimension, value, meant))}>
                  <bdi>{valueLabel(dimension, meant)}</bdi>
                </Button>
                ?
              </>
            )}
          </li>
        ))}
      </ul>
      {all.length > 10 && <p>{NOTICES.more(all.length - 10)}</p>}
      <p>
        <Button look="plain" onClick={() => go(without)}>
          {NOTICES.without(all.length)}
        </Button>
      </p>
    </div>
  );
}

/** Reads a message such as `Unknown value "Maltta"; did you mean "Malta"?` (docs/api.md, Strict values). */
function readMessage(text: string): { text: string; value: string | null; meant: string | null } {
  const [, value = null, meant = null] =
    /^Unknown value "(.*?)"(?:; did you mean "(.*)"\?)?$/s.exec(text) ?? [];
  return { text, value, meant };
}

const drop = (question: Question, dimension: string, value: string | null): Question =>
  withFilter(
    question,
    dimension,
    (question.filters[dimension] ?? []).filter((one) => value !== null && one !== value),
  );

function swap(question: Question, dimension: string, value: string, meant: string): Question {
  const values = (question.filters[dimension] ?? []).map((one) => (one === value ? meant : one));
  return withFilter(question, dimension, [...new Set(values)]);
}
