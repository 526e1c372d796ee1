// The section of an endpoint in `/docs`: its parameters, answers and examples, and a form that sends a request.

import { type Html, html, verbatim } from '../../text/html.ts';
import type {
  DocumentedExample,
  DocumentedOperation,
  DocumentedParameter,
  JsonSchema,
} from './document/openApiTypes.ts';
import { COMMON_RESPONSES } from './document/responses.ts';
import type { Operation } from './operations/operation.ts';

export interface PageOptions {
  /** Whether the page has a script and forms that send requests. */
  readonly isInteractive: boolean;
  /** The address of the server in the examples, without a slash at the end. */
  readonly publicUrl: string;
}

/** The section. The form is only on an interactive page. */
export function operationSection(
  operation: Operation,
  { parameters = [], responses }: DocumentedOperation,
  { isInteractive, publicUrl }: PageOptions,
): Html {
  const { id, path, summary, description, answers } = operation;
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="text">
<h3 id="${id}-title">${summary}</h3>
<p class="path"><span class="method">GET</span> <code>${path}</code></p>
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
${isInteractive && tryForm(operation, parameters)}
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
 * A form that sends a request. It is hidden until the script runs. A field for several values takes one value a line. Two
 * quotes are the empty value.
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
    return html`<div>${label}<textarea ${common} rows="1" placeholder="one value a line${name === 'state' && '; "" for none'}"></textarea></div>`;
  if (!schema.enum) return html`<div>${label}<input ${common} autocomplete="off"></div>`;
  const options = schema.enum.map((value) => html`<option>${String(value)}</option>`);
  return html`<div>${label}<select ${common}>${!required && html`<option value=""></option>`}${options}</select></div>`;
}

const paragraphs = (text: string): Html =>
  html`${text.split('\n\n').map((part) => html`<p>${richText(part)}</p>`)}`;

/** Text whose parts between backticks are code. */
export const richText = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
