// The question as code: the programs of /v1/explain in tabs, each to be copied.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Explained } from '../api/shapes.ts';
import { html } from '../html.ts';
import { grouped } from '../model/format.ts';
import { titleOf } from '../model/summary.ts';
import { tableQuery } from '../model/table.ts';
import { Copy } from './copy.ts';
import { Failed } from './failed.ts';
import type { ViewProps } from './props.ts';
import { useReply } from './useReply.ts';

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

export function CodeView(props: ViewProps): VNode {
  const { shown, open } = props;
  const { selection } = shown.counted;
  const [language, setLanguage] = useState<Language>('python');
  const { pairs } = tableQuery(selection);
  const id = `${shown.snapshot} ${JSON.stringify(pairs)}`;
  const asked = useReply<Explained>(id, async (signal) => {
    const reply = await open.client.ask<Explained>('/v1/explain', pairs, {
      snapshot: shown.snapshot,
      signal,
    });
    return reply.kind === 'ok' ? reply.body : reply;
  });
  return html`<section class="code-view">
    <h1>Code for ${titleOf({ ...selection, by: null })}</h1>
    <div class="segments" role="group" aria-label="Language">
      ${LANGUAGES.map((name) => html`<button type="button" aria-pressed=${name === language} onClick=${() => setLanguage(name)}>${NAMES[name]}</button>`)}
    </div>
    ${asked.kind === 'asking' && html`<p class="wait" role="status">Asking…</p>`}
    ${asked.kind === 'failed' && html`<${Failed} ...${props} failure=${asked.failure} again=${asked.again} snapshot=${shown.snapshot} />`}
    ${
      asked.kind === 'there' &&
      html`<p class="quiet">It gives the ${grouped(asked.value.meta.row_count)} rows of the table, with the key in the environment variable API_KEY.</p>
      <div class="code-box"><${Copy} key=${language} text=${() => asked.value[language]} label="Copy" />
      <pre tabindex="0" aria-label=${NAMES[language]}><code>${asked.value[language]}</code></pre></div>`
    }
  </section>`;
}
