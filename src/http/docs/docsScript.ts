// The script of `/docs`: shows the forms, sends requests with the visitor's own key, and shows the answers.

export const SCRIPT = `
'use strict';
(() => {
  const keyField = document.getElementById('key');
  document.getElementById('key-form').hidden = false;
  document.getElementById('key-form').addEventListener('submit', (event) => event.preventDefault());
  for (const form of document.querySelectorAll('.try')) form.hidden = false;
  // A link to a closed example or schema opens it.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener('hashchange', reveal);
  reveal();
  const contents = document.querySelector('.side details');
  if (matchMedia('(max-width: 60rem)').matches) contents.open = false;

  function requestOf(form) {
    const query = new URLSearchParams();
    const headers = {};
    // Not form.dataset, because a field with the name dataset hides it.
    let path = form.getAttribute('data-path');
    for (const field of form.querySelectorAll('[name]')) {
      const { name } = field;
      // A blank line is no value, and two quotes are the empty one, as in state= for whole countries.
      const values = (field instanceof HTMLTextAreaElement ? field.value.split('\\n') : [field.value]).filter((value) => value !== '');
      for (const line of values) {
        const value = line === '""' ? '' : line;
        if (field.dataset.in === 'query') query.append(name, value);
        else if (field.dataset.in === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value));
        else headers[name] = value;
      }
    }
    if (form.getAttribute('data-open') === 'no') headers['x-api-key'] = keyField.value.trim();
    const text = query.toString();
    return { url: path + (text === '' ? '' : '?' + text), headers };
  }

  const element = (name, text) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  /** Links to the sections of this page that explain an error, from the header Link of its answer. */
  function helpLinksOf(header) {
    const list = element('p');
    for (const [, address] of (header ?? '').matchAll(/<([^>]*)>; rel="help"/g)) {
      const link = element('a', 'What this means, and what to do');
      link.href = address.replace(/^.*\\/docs(?=#)/, '');
      list.append(link, ' ');
    }
    return list;
  }

  const SHOWN = /^(content-type|content-length|etag|x-snapshot|x-ratelimit-remaining|retry-after|link|x-request-id)$/;
  const MAX_CHARACTERS = 100000;

  async function show(result, response, startMs) {
    const type = response.headers.get('content-type') ?? '';
    const blob = await response.blob();
    result.append(element('p', response.status + ' ' + response.statusText + ', ' + Math.round(performance.now() - startMs) + ' ms, ' + blob.size.toLocaleString('en') + ' bytes'));
    if (response.status >= 400) result.append(helpLinksOf(response.headers.get('link')));
    const head = [...response.headers].filter(([name]) => SHOWN.test(name)).map(([name, value]) => name + ': ' + value).join('\\n');
    let body = '';
    if (/json|text/.test(type)) {
      body = await blob.text();
      if (type.includes('json')) body = JSON.stringify(JSON.parse(body), null, 2);
      if (body.length > MAX_CHARACTERS) body = body.slice(0, MAX_CHARACTERS) + '\\n…';
    } else {
      const link = element('a', 'Save the file');
      link.href = URL.createObjectURL(blob);
      link.download = (/filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [])[1] ?? 'answer.arrow';
      result.append(link);
    }
    for (const [label, text] of [['Headers of the answer', head], ['Body of the answer', body]]) {
      if (text === '') continue;
      const block = element('pre');
      block.tabIndex = 0;
      block.setAttribute('role', 'region');
      block.setAttribute('aria-label', label);
      block.append(element('code', text));
      result.append(block);
    }
  }

  for (const form of document.querySelectorAll('.try form')) {
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const result = form.nextElementSibling;
      const button = form.querySelector('button');
      const { url, headers } = requestOf(form);
      if ('x-api-key' in headers && headers['x-api-key'] === '') {
        result.replaceChildren(element('p', 'Enter your key at the top of the page first.'));
        keyField.focus();
        return;
      }
      button.disabled = true;
      result.replaceChildren(element('p', 'GET ' + url));
      const startMs = performance.now();
      try {
        // A relative address also works if people reach the server below a path of a proxy.
        await show(result, await fetch('.' + url, { headers, cache: 'no-store', credentials: 'omit' }), startMs);
      } catch (error) {
        result.append(element('p', 'The request failed: ' + error.message));
      }
      button.disabled = false;
    });
  }
})();
`;
