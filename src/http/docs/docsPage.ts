// Turns the OpenAPI document into HTML: `/docs` with forms that send requests, and `/docs/plain` without a script.

import type { HelpTopic } from '../../errors.ts';
import { type Html, html, verbatim } from '../../text/html.ts';
import { SCRIPT } from './docsScript.ts';
import { STYLE } from './docsStyle.ts';
import type {
  DocumentedExample,
  DocumentedOperation,
  DocumentedParameter,
  JsonSchema,
  OpenApiDocument,
} from './document/openApiTypes.ts';
import { COMMON_RESPONSES } from './document/responses.ts';
import { HELP_TOPICS } from './help/helpTopics.ts';
import type { HelpText } from './help/parameterTopics.ts';
import { type Operation, OTHER_PAGE_TYPES, TAGS, type Tag } from './operations/operation.ts';
import { OPERATIONS } from './operations/operations.ts';

export interface PageOptions {
  /** Whether the page has a script and forms that send requests. */
  readonly isInteractive: boolean;
  /** The address of the server in the examples, without a slash at the end. */
  readonly publicUrl: string;
}

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

const documented = ({ paths }: OpenApiDocument, { path, method }: Operation): DocumentedOperation =>
  paths[path]?.[method] ?? { responses: {} };

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
</ul>
${
  isInteractive &&
  html`<form class="key" id="key-form" hidden>
<label for="key">Your key, for the forms below. It stays in this tab and is sent to this server only.</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_live_…">
</form>`
}
</section>`;

function operationSection(
  operation: Operation,
  { parameters = [], responses }: DocumentedOperation,
  { isInteractive, publicUrl }: PageOptions,
): Html {
  const { id, path, method, summary, description, answers } = operation;
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="text">
<h3 id="${id}-title">${summary}</h3>
<p class="path"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>
${paragraphs(description)}
${parameters.length > 0 && parametersTable(parameters, id)}
<h4>Answers</h4>
<dl class="answers">${Object.entries(responses).map(([status, response]) => {
    const shown =
      '$ref' in response ? sharedAnswer(String(response.$ref).split('/').at(-1) ?? '') : response.description;
    return html`<div><dt>${status}</dt><dd>${richText(shown ?? '')}${
      status === '200' && html` <span class="quiet">${Object.keys(answers).join(', ')}</span>`
    }</dd></div>`;
  })}</dl>
${isInteractive && method === 'get' && tryForm(operation, parameters)}
</div>
<div class="code">${examplesOf(operation, responses, publicUrl)}</div>
</article>`;
}

/** The description of an answer that the document shares between endpoints. */
const sharedAnswer = (name: string): string | undefined => SHORTER[name] ?? ANSWERS[name]?.description;

const ANSWERS: Readonly<Record<string, { readonly description: string }>> = COMMON_RESPONSES;

/** Shorter descriptions for the page. */
const SHORTER: Readonly<Record<string, string>> = {
  Unauthorized: 'The key is missing or refused.',
  NotFound: 'There is no such name.',
  TooManyRequests: 'A limit is used up; `Retry-After` says how long to wait.',
  Unavailable: 'Temporarily unavailable; `Retry-After` says how long to wait.',
};

const parametersTable = (parameters: readonly DocumentedParameter[], id: string): Html => html`
<h4 id="${id}-parameters">Parameters</h4>
<dl class="parameters" aria-labelledby="${id}-parameters">${parameters.map(
  ({ in: place, name, required = false, description = '', schema }) => html`<div>
<dt><code>${name}</code> <span class="quiet">${typeOf(schema)}${place === 'query' ? '' : `, ${place}`}</span>${
    required && html` <strong class="required">required</strong>`
  }</dt>
<dd>${richText(description)}${rangeOf(schema)}</dd>
</div>`,
)}</dl>`;

const typeOf = ({ type, items }: JsonSchema): string =>
  type === 'array' ? `${String(items?.type ?? 'string')}, repeatable` : String(type ?? 'string');

function rangeOf(schema: JsonSchema): Html {
  const values = schema.enum ?? schema.items?.enum ?? null;
  const limits = [
    schema.minimum !== undefined && schema.maximum !== undefined && `${schema.minimum} to ${schema.maximum}`,
    schema.default !== undefined && `default ${String(schema.default)}`,
  ].filter((text) => text !== false);
  return html`${
    values &&
    html` <span class="quiet">One of ${values.map((value, i) => html`${i > 0 && ', '}<code>${String(value)}</code>`)}.</span>`
  }${limits.length > 0 && html` <span class="quiet">${limits.join('; ')}.</span>`}`;
}

function examplesOf(
  { examples }: Operation,
  responses: DocumentedOperation['responses'],
  publicUrl: string,
): Html {
  const recorded = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ examples: shown = {} }) =>
      Object.values(shown).map((example) => ({ status, ...example })),
    ),
  );
  const list = examples.flatMap((example) => {
    const found = recorded.find(({ summary }) => summary === example.summary);
    return found ? [{ ...example, ...found }] : [];
  });
  return html`${list.map(
    (
      { summary, request, headers = {}, status, value },
      i,
    ) => html`<details class="example"${i === 0 && verbatim(' open')}>
<summary>${summary} <span class="status s${status.charAt(0)}">${status}</span></summary>
<pre tabindex="0" role="region" aria-label="Request: ${summary}"><code>${curlOf(publicUrl + request, headers)}</code></pre>
<pre tabindex="0" role="region" aria-label="Answer: ${summary}"><code>${shownValue(value)}</code></pre>
</details>`,
  )}`;
}

const curlOf = (url: string, headers: Readonly<Record<string, string>>): string =>
  [
    `curl "${url}"`,
    ...(url.includes('/v1/') ? ['-H "x-api-key: $API_KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
  ].join(' \\\n  ');

const shownValue = (value: DocumentedExample['value']): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/**
 * A form that sends a request. It is hidden until the script runs. A field for several values takes one value a line.
 */
const tryForm = (
  { id, path, answers, isOpen }: Operation,
  parameters: readonly DocumentedParameter[],
): Html => html`
<details class="try" hidden><summary>Try it</summary>
<form data-path="${path}" data-open="${isOpen ? 'yes' : 'no'}">
${parameters.map((parameter) => fieldOf(id, parameter))}
${
  Object.keys(answers).length > 1 &&
  !path.includes('{format}') &&
  html`<div><label for="${id}-accept">Accept</label><select id="${id}-accept" data-in="header" name="Accept">${Object.keys(
    answers,
  ).map((type) => html`<option>${type}</option>`)}</select></div>`
}
<div class="send"><button>Send</button></div>
</form>
<div class="result" role="status"></div>
</details>`;

function fieldOf(id: string, { in: place, name, required = false, schema }: DocumentedParameter): Html {
  const field = `${id}-${name}`;
  const label = html`<label for="${field}">${name}${required && html` <span class="quiet">(required)</span>`}</label>`;
  const common = html`id="${field}" name="${name}" data-in="${place}"${required && verbatim(' required')}`;
  if (schema.type === 'array')
    return html`<div>${label}<textarea ${common} rows="1" placeholder="one value a line"></textarea></div>`;
  if (!schema.enum) return html`<div>${label}<input ${common} autocomplete="off"></div>`;
  const options = schema.enum.map((value) => html`<option>${String(value)}</option>`);
  return html`<div>${label}<select ${common}>${!required && html`<option value=""></option>`}${options}</select></div>`;
}

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

const paragraphs = (text: string): Html =>
  html`${text.split('\n\n').map((part) => html`<p>${richText(part)}</p>`)}`;

/** Text whose parts between backticks are code. */
const richText = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
