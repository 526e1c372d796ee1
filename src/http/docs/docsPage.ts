// Turns the OpenAPI document into HTML: `/docs` with forms that send requests, and `/docs/plain` without a script.

import type { HelpTopic } from '../../errors.ts';
import { type Html, html, verbatim } from '../../text/html.ts';
import { SCRIPT } from './docsScript.ts';
import { STYLE } from './docsStyle.ts';
import type { DocumentedOperation, OpenApiDocument } from './document/openApiTypes.ts';
import { HELP_TOPICS } from './help/helpTopics.ts';
import type { HelpText } from './help/parameterTopics.ts';
import { operationSection, type PageOptions, richText } from './operationSection.ts';
import { type Operation, OTHER_PAGE_TYPES, TAGS, type Tag } from './operations/operation.ts';
import { OPERATIONS } from './operations/operations.ts';

/** The whole page. It needs no other file: styles and script are in it. */
export function docsPage(document: OpenApiDocument, options: PageOptions): string {
  const { isInteractive } = options;
  // Relative links also work if people reach the server below a path of a proxy.
  const root = isInteractive ? './' : '../';
  const tags = Object.keys(TAGS) as Tag[];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Gambling data API</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${root}">${MARK}Gambling data API</a>
<nav aria-label="Documents"><a href="${root}openapi.json">OpenAPI 3.1</a>${
    isInteractive
      ? html`<a href="${root}docs/plain">Without scripts</a>`
      : html`<a href="${root}docs">With forms to try it</a>`
  }</nav>
</header>
<div class="columns">
<nav class="side" aria-label="Sections">${sideOf(tags)}</nav>
<main id="main" tabindex="-1">
${introduction(options)}
${tags.map(
  (tag) => html`<section class="tag" id="${tag.toLowerCase()}" aria-labelledby="${tag.toLowerCase()}-title">
<h2 id="${tag.toLowerCase()}-title">${tag}</h2>
<p class="lead">${TAGS[tag]}</p>
${OPERATIONS.filter((operation) => operation.tag === tag).map((operation) =>
  operationSection(operation, documented(document, operation), options),
)}
</section>`,
)}
${errorsSection()}
${schemasSection(document)}
</main>
</div>
${isInteractive && html`<script>${verbatim(SCRIPT)}</script>`}
</body>
</html>
`.markup;
}

const MARK = verbatim(
  '<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect x="1" y="9" width="3.6" height="6" rx="1"/><rect x="6.2" y="5" width="3.6" height="10" rx="1"/><rect x="11.4" y="1" width="3.6" height="14" rx="1"/></svg>',
);

const documented = ({ paths }: OpenApiDocument, { path }: Operation): DocumentedOperation =>
  paths[path]?.get ?? { responses: {} };

const sideOf = (tags: readonly Tag[]): Html => html`
<details open><summary>Contents</summary>
<a href="#start">Start here</a>
${tags.map(
  (tag) =>
    html`<p>${tag}</p><ul>${OPERATIONS.filter((operation) => operation.tag === tag).map(
      ({ id, path }) => html`<li><a href="#${id}"><code>${path.replace('/v1', '')}</code></a></li>`,
    )}</ul>`,
)}
<p>Errors</p><ul>${[...STATUS_TITLES.keys()].map(
  (status) => html`<li><a href="#errors-${status}">${status} ${STATUS_TITLES.get(status) ?? ''}</a></li>`,
)}</ul>
<a href="#schemas">Schemas</a>
</details>`;

const STATUS_TITLES = new Map([
  [400, 'The request is wrong'],
  [401, 'The key'],
  [404, 'The path'],
  [429, 'The limits'],
]);

const introduction = ({ publicUrl, isInteractive }: PageOptions): Html => html`
<section id="start" aria-labelledby="start-title">
<h1 id="start-title">API reference</h1>
<p class="lead">Gross gaming revenue, turnover, exchange rates and country indicators by year, country, product and channel.</p>
<p>Every path under <code>/v1</code> needs a key in the header <code>x-api-key</code>. To get a key, ask the team for an invite link. A first query:</p>
<pre tabindex="0" role="region" aria-label="A first query"><code>curl -sG ${publicUrl}/v1/financials -H "x-api-key: $API_KEY" \\
  -d metric=ggr -d country=Malta -d year=2024 -d fx=EUR</code></pre>
<ul>
<li>Repeat a parameter for several values: <code>country=Malta&amp;country=Spain</code>. A parameter that the endpoint does not know is refused, never ignored.</li>
<li>GET, HEAD and OPTIONS. <code>Accept</code> with ${OTHER_PAGE_TYPES.map(({ type, separator }) => html`${separator}<code>${type}</code>`)} gives pages in that format.</li>
<li>Every error is JSON. That of a 400, 401, 404 or 429 has a header <code>Link: …; rel="help"</code>, which leads to the section below that explains it.</li>
<li>A key has a limit for any minute and for any 24 hours. Every answer says what is left; <code>Retry-After</code> says how long to wait.</li>
<li>For assistants, <code>${publicUrl}/mcp</code> is a server of the Model Context Protocol (streamable HTTP). It takes the key as <code>Authorization: Bearer …</code> or as <code>x-api-key</code>.</li>
</ul>
${
  isInteractive &&
  html`<form class="key" id="key-form" hidden>
<label for="key">Your key, for the forms below. It stays in this tab and is sent to this server only.</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_live_…">
</form>`
}
</section>`;

const errorsSection = (): Html => html`
<section id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<p class="lead">Look at the status before the body. <code>error</code> says what is wrong; <code>details.fieldErrors</code> says it by parameter. The header <code>Link</code> leads to one of these sections.</p>
${[...STATUS_TITLES].map(
  ([status, title]) => html`<section id="errors-${status}" aria-labelledby="errors-${status}-title">
<h3 id="errors-${status}-title">${status}: ${title}</h3>
${(Object.entries(HELP_TOPICS) as [HelpTopic, HelpText][])
  .filter(([, topic]) => topic.status === status)
  .map(
    ([
      anchor,
      { title, cause, remedy, example },
    ]) => html`<section class="topic" id="${anchor}" aria-labelledby="${anchor}-title">
<h4 id="${anchor}-title"><a href="#${anchor}">${title}</a></h4>
<p>${richText(cause)}</p>
<p><strong>What to do.</strong> ${richText(remedy)}</p>
${example !== undefined && html`<pre tabindex="0" role="region" aria-label="Example: ${title}"><code>${example}</code></pre>`}
</section>`,
  )}
</section>`,
)}
</section>`;

const schemasSection = ({ components }: OpenApiDocument): Html => html`
<section id="schemas" aria-labelledby="schemas-title">
<h2 id="schemas-title">Schemas</h2>
<p class="lead">The bodies of the answers as JSON Schema.</p>
${Object.entries(components.schemas).map(
  ([
    name,
    schema,
  ]) => html`<details class="example" id="schema-${name}"><summary><code>${name}</code></summary>
<pre tabindex="0" role="region" aria-label="Schema ${name}"><code>${JSON.stringify(schema, null, 2)}</code></pre>
</details>`,
)}
</section>`;
