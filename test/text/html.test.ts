// Templates of HTML escape every value.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { html, verbatim } from '../../src/text/html.ts';
import { printable } from '../../src/text/printable.ts';

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

const unescaped = (markup: string) =>
  markup.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code === undefined ? (NAMED[name] ?? '') : String.fromCharCode(Number(code)),
  );

describe('html', () => {
  it('lets no text be markup, in content or in a quoted attribute, and loses none of it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'<>&"\'`=a /') })), (text) => {
        const { markup } = html`<p title="${text}">${text}</p>`;
        const [, attribute = '', content = ''] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/.exec(markup) ?? [];
        expect([attribute, content].map(unescaped)).toEqual(
          [text, text].map((t) =>
            t
              .split(/([\t\n])/)
              .map((part) => (/[\t\n]/.test(part) ? part : printable(part)))
              .join(''),
          ),
        );
      }),
    );
  });

  it('shows characters that would hide or turn what follows as escapes', () => {
    expect(html`${'a\u202egpj.exe\u0000\ufeff'}`.markup).toBe(String.raw`a\u202egpj.exe\u0000\ufeff`);
    expect(html`${'lone \ud800 half'}`.markup).toBe(String.raw`lone \ud800 half`);
    expect(html`${'𝔐 عربى Ελλάδα\n'}`.markup).toBe('𝔐 عربى Ελλάδα\n');
  });

  it('escapes the same characters in text and in attributes', () => {
    const hostile = `"><script>alert('&')</script>`;
    expect(html`<p title="${hostile}">${hostile}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    );
  });

  it('escapes once: what is markup already stays as it is', () => {
    const item = (name: string) => html`<li>${name}</li>`;
    expect(html`<ul>${['a', '<b>'].map(item)}</ul>`.markup).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
    expect(html`${verbatim('<hr>')}${['<i>', [1, '&']]}`.markup).toBe('<hr>&lt;i&gt;1&amp;');
  });

  it('writes nothing for null and false, and a number as it is', () => {
    expect(html`[${null}${false}${0}${''}${[]}]`.markup).toBe('[0]');
  });
});
