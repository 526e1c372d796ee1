// Makes the HTML page of a report: a single file that loads no other file and can be opened from any folder.

import { Html, html } from '../../src/html.ts';
import { sha256 } from '../../src/sha256.ts';
import { bidiIsolated } from './bidiIsolation.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

export interface Detail extends Omit<Section, 'title'> {
  readonly title: Html | string;
}

export interface Page {
  readonly title: string;
  readonly top: Html;
  /** The parts that are always visible. */
  readonly sections: readonly Section[];
  /** The parts that are collapsed under their titles. */
  readonly details: readonly Detail[];
  readonly foot: Html;
}

/** The whole HTML document. Its policy allows its own style and script by their hashes, and forbids to load anything else. */
export function page(content: Page): string {
  const policy = `default-src 'none'; style-src 'sha256-${sha256(STYLE, 'base64')}'; script-src 'sha256-${sha256(SCRIPT, 'base64')}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${content.title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${bidiIsolated(bodyOf(content))}
<script>${new Html(SCRIPT)}</script>
</body>
</html>
`.markup;
}

function bodyOf({ top, sections, details, foot }: Omit<Page, 'title'>): Html {
  const links = [...sections, { id: 'details', title: 'Details' }].map(
    (section) => html`<li><a href="#${section.id}">${section.title}</a></li>`,
  );
  return html`<div class="page">
<header>
${top}
<div class="bar"><nav aria-label="Contents"><ul>${links}</ul></nav>
<form id="search" role="search" hidden><label for="q">Search all tables</label><input id="q" type="search" autocomplete="off" placeholder="Malta, poker, 2024 …"><button type="button" hidden>Next</button><output for="q"></output></form></div>
</header>
<main>
${sections.map(sectionOf)}<section aria-labelledby="details">
<h2 id="details">Details</h2>
<p class="soft">These parts are closed, and closed parts are not printed. Open those that you want on paper.</p>
${details.map(
  ({
    id,
    title: heading,
    body,
  }) => html`<details id="${id}" class="part"><summary><h3>${heading}</h3></summary>
${body}
</details>
`,
)}</section>
</main>
<footer>${foot}</footer>
</div>`;
}

const sectionOf = ({ id, title, body }: Section): Html => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`;
