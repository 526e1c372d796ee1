// Makes elements of preact from templates such as `` html`<p class="note">${text}</p>` ``, without a compiler.

import htm from 'htm';
import { h, type VNode } from 'preact';

type Template = (parts: TemplateStringsArray, ...values: unknown[]) => VNode;

// The types of htm describe its CommonJS build. The bundle contains its ES module, whose default export is the function
// itself.
const { bind } = htm as unknown as { bind(this: unknown, create: typeof h): Template };

/** Makes one element. preact escapes all values, so that text can never become markup. */
export const html: Template = bind.call(htm, h);
