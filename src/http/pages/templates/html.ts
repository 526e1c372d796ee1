// Makes HTML from templates that escape every value: what somebody typed can never become markup.

/** Markup that is safe as it stands. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; `null` and `false` are nothing. */
export type Value = Html | string | number | null | false | readonly Value[];

/** `` html`<p title="${any}">${text}</p>` ``: attributes are written in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((text, i) => text + (i < values.length ? written(values[i]) : '')).join(''));
}

/** Text of our own that is markup, style or script already. */
export const verbatim = (text: string): Html => new Html(text);

function written(value: Value | undefined): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
