// Markup for preact without a compiler: `` html`<p class="note">${text}</p>` ``.

import htm from 'htm';
import { h, type VNode } from 'preact';

type Template = (parts: TemplateStringsArray, ...values: unknown[]) => VNode;

// The types of htm describe its CommonJS build; the bundle has the module, which is the function itself.
const { bind } = htm as unknown as { bind(this: unknown, create: typeof h): Template };

/** One root element. Values are escaped by preact: text can never become markup. */
export const html: Template = bind.call(htm, h);
