// Makes the HTML page of a report: a single file that loads no other file and can be opened from any folder.

import { sha256 } from '../../src/basics/sha256.ts';
import { Html, html } from '../../src/text/html.ts';
import { RIGHT_TO_LEFT } from '../../src/text/rightToLeft.ts';
import { PAGE_SCRIPT } from './pageScript.ts';
import { PAGE_STYLE } from './pageStyle.ts';

export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

export interface PageDetail extends Omit<PageSection, 'title'> {
  readonly title: Html | string;
}

export interface PageParts {
  readonly title: string;
  readonly top: Html;
  /** The parts that are always visible. */
  readonly sections: readonly PageSection[];
  /** The parts that are collapsed under their titles. */
  readonly details: readonly PageDetail[];
  readonly foot: Html;
}

/**
 * The whole HTML document. Its policy allows its own style and script by their hashes, and forbids to load anything else.
 */
export function pageHtml(content: PageParts): string {
  const policy = `default-src 'none'; style-src 'sha256-${sha256(PAGE_STYLE, 'base64')}'; script-src 'sha256-${sha256(PAGE_SCRIPT, 'base64')}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${content.title}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
${bidiIsolated(bodyOf(content))}
<script>${new Html(PAGE_SCRIPT)}</script>
</body>
</html>
`.markup;
}

function bodyOf({ top, sections, details, foot }: Omit<PageParts, 'title'>): Html {
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

const sectionOf = ({ id, title, body }: PageSection): Html => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>
`;

/**
 * The markup with each name in right-to-left letters in a `<bdi>`. Without it, a browser shows `ישראל: 1 → 2` as the
 * change from 2 to 1. Texts in SVG stay unchanged, because SVG has no `<bdi>`. Each of them is a label of its own.
 */
function bidiIsolated({ markup }: Html): Html {
  if (!ANY.test(markup)) return new Html(markup);
  const pieces = markup.split(NOT_TEXT);
  // `split` with a captured group returns the tags and whole drawings at the odd indexes.
  return new Html(pieces.map((piece, i) => (i % 2 === 1 ? piece : piece.replace(NAME, inBdi))).join(''));
}

const inBdi = (name: string): string => html`<bdi>${new Html(name)}</bdi>`.markup;

const NOT_TEXT = /(<svg[^>]*>[\s\S]*?<\/svg>|<[^>]*>)/;

const ANY = new RegExp(RIGHT_TO_LEFT, 'u');

/** Words in right-to-left letters, with the characters between them: spaces, hyphens, apostrophes, quotes, joiners. */
const NAME = new RegExp(
  `${RIGHT_TO_LEFT}+(?:(?:[ \\u00a0\\u200c\\u200d'’.־-]|&#39;|&quot;)+${RIGHT_TO_LEFT}+)*`,
  'gu',
);
