// Shows the selection as code: the programs of /v1/explain, with a tab for each language.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Explanation } from '../api/responseTypes.ts';
import { inSentence } from '../labels.ts';
import { titleInView } from '../model/summary.ts';
import { tableQuery } from '../model/tableRows.ts';
import { ANSWER } from '../texts/pageTexts.ts';
import { CODE } from '../texts/viewTexts.ts';
import { CopyButton } from './copyButton.tsx';
import { FailureNotice } from './failureNotice.tsx';
import type { ViewProps } from './props.ts';
import { useLoadable } from './useLoadable.ts';
import { Waiting } from './waiting.tsx';

const LANGUAGES = ['python', 'r', 'javascript', 'curl', 'polars', 'sql'] as const;
type Language = (typeof LANGUAGES)[number];

const NAMES: Readonly<Record<Language, string>> = {
  python: 'Python (pandas)',
  polars: 'Python (polars)',
  r: 'R',
  javascript: 'JavaScript',
  curl: 'curl',
  sql: 'SQL (DuckDB)',
};

/** Loads the programs and shows that of the chosen language. */
export function CodeView(props: ViewProps): VNode {
  const { answer, openState } = props;
  const { selection } = answer;
  const [language, setLanguage] = useState<Language>('python');
  const { pairs } = tableQuery(selection);
  // Code names a snapshot only if one was chosen. Otherwise it fetches the data that is current when it runs.
  const id = `${answer.question.asOf} ${answer.snapshot} ${JSON.stringify(pairs)}`;
  const explained = useLoadable<Explanation>(id, async (signal) => {
    const reply = await openState.client.ask<Explanation>('/v1/explain', pairs, {
      ...(answer.question.asOf === '' ? { isFresh: true } : { snapshot: answer.snapshot }),
      signal,
    });
    return reply.kind === 'ok' ? reply.body : reply;
  });
  return (
    <section class="code-view">
      <h1>{CODE.title(inSentence(titleInView('code', selection)))}</h1>
      <div class="segments" role="group" aria-label={CODE.language}>
        {LANGUAGES.map((name) => (
          <button type="button" aria-pressed={name === language} onClick={() => setLanguage(name)}>
            {NAMES[name]}
          </button>
        ))}
      </div>
      {explained.kind === 'loading' && <Waiting text={ANSWER.asking} />}
      {explained.kind === 'failed' && (
        <FailureNotice
          {...props}
          failure={explained.failure}
          retry={explained.retry}
          snapshot={answer.snapshot}
        />
      )}
      {explained.kind === 'loaded' && (
        <>
          <p class="quiet">{CODE.gives(explained.value.meta.row_count)}</p>
          <div class="code-box">
            <CopyButton key={language} text={() => explained.value[language]} label={CODE.copy} />
            <pre tabindex={0} aria-label={NAMES[language]}>
              <code>{explained.value[language]}</code>
            </pre>
          </div>
        </>
      )}
    </section>
  );
}
