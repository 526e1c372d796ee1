import { describe, expect, it } from '@jest/globals';
import { html, verbatim } from '../../../src/http/pages/templates/html.ts';

describe('html', () => {
  it('escapes whatever stands in text or in an attribute', () => {
    const hostile = `"><script>alert('&')</script>`;
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    );
  });

  it('escapes once: what is markup already stays as it is', () => {
    const item = (name: string) => html`<li>${name}</li>`;
    expect(html`<ul>${['a', '<b>'].map(item)}</ul>`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
    expect(html`${verbatim('<hr>')}${['<i>', [1, '&']]}`.text).toBe('<hr>&lt;i&gt;1&amp;');
  });

  it('writes nothing for what is not there, and a number as it is', () => {
    expect(html`[${null}${false}${0}${''}${[]}]`.text).toBe('[0]');
  });
});
