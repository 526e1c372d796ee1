// The page around a report: one file that loads nothing, runs nothing, and may be opened from anywhere.

import { createHash } from 'node:crypto';
import { Html, html } from '../../src/html.ts';
import { STYLE } from './style.ts';

export interface Section {
  /** What links name it by. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** A whole HTML document. Its policy lets it load nothing; its own style is allowed by its hash. */
export function page(title: string, top: Html, sections: readonly Section[], foot: Html): string {
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
  const links = sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<div class="page">
<header>
${top}
<nav aria-label="Contents"><ul>${links}</ul></nav>
</header>
<main>
${sections.map(
  ({ id, title: heading, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${body}
</section>
`,
)}</main>
<footer>${foot}</footer>
</div>
</body>
</html>
`.markup;
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
