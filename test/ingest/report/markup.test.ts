import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { html } from '../../../ingest/report/html.ts';
import { reportJson } from '../../../ingest/report/json.ts';

const unescaped = (markup: string) =>
  markup.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

describe('html', () => {
  it('lets no text be markup, in content or in a quoted attribute, and loses none of it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'<>&"\'`=a /') })), (text) => {
        const { markup } = html`<p title="${text}">${text}</p>`;
        const [, attribute = '', content = ''] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/.exec(markup) ?? [];
        expect([attribute, content].map(unescaped)).toEqual(
          [text, text].map((t) => t.replace(/[\u007f-\u009f]|(?![\t\n])\p{Cc}/gu, '\ufffd')),
        );
      }),
    );
  });

  it('shows characters that would hide or turn what follows as �', () => {
    expect(html`${'a\u202egpj.exe\u0000\ufeff'}`.markup).toBe('a\ufffdgpj.exe\ufffd\ufffd');
    expect(html`${'lone \ud800 half'}`.markup).toBe('lone \ufffd half');
    expect(html`${'𝔐 عربى Ελλάδα\n'}`.markup).toBe('𝔐 عربى Ελλάδα\n');
  });

  it('keeps markup as it is, joins lists, and leaves out null', () => {
    expect(html`<ul>${['a', 'b'].map((item) => html`<li>${item}</li>`)}${null}${1}</ul>`.markup).toBe(
      '<ul><li>a</li><li>b</li>1</ul>',
    );
  });
});

describe('reportJson', () => {
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(JSON.parse(reportJson(value)))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('gives a line to what fits, and one to a list of numbers', () => {
    const things = Array.from({ length: 12 }, (_, i) => ({
      name: `thing ${i}`,
      of: { a: 'x'.repeat(30), b: null },
    }));
    const lines = reportJson({ things, years: Array.from({ length: 300 }, (_, i) => i) }).split('\n');
    expect(lines).toHaveLength(things.length + 6);
    expect(lines[2]).toBe(`  {"name": "thing 0", "of": {"a": "${'x'.repeat(30)}", "b": null}},`);
  });
});
