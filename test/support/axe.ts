// Asks axe-core what is wrong with a page: `expect(await violations(page)).toEqual([])`.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isDeep } from './depth.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Each rule that is broken, with the elements that break it. The page must have no frames. axe has no rule about the names of
 * tables, by which screen readers list them.
 *
 * axe reports only violations: describing thousands of correct elements takes longer than checking them.
 *
 * @param colours 'only' checks contrasts alone, in `make test` of two elements of each kind. 'none' checks everything else,
 * in a third of the time. Left out, everything is checked.
 * @param within A selector: only this part of the page is checked.
 */
export async function violations(page: Page, colours?: 'only' | 'none', within = 'html'): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(colours === 'only' && { runOnly: ['color-contrast'] }),
    ...(colours === 'none' && { rules: { 'color-contrast': { enabled: false } } }),
  };
  const part = JSON.stringify(within);
  const hideAlike =
    colours === 'only' && !isDeep ? `(${HIDE_ALIKE})(document.querySelector(${part}))` : '() => {}';
  await page.evaluate(`typeof axe === 'object' || (() => { ${AXE} })()`);
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(`(() => {
    const showAlike = ${hideAlike};
    return axe.run(${part}, ${JSON.stringify(options)}).then(({ violations }) => ({ violations })).finally(showAlike);
  })()`);
  const nameless =
    colours === 'only'
      ? []
      : await page.evaluate<
          string[]
        >(`[...document.querySelectorAll('table:not([aria-label]):not(:has(> caption))')]
          .map(({ outerHTML }) => 'table without a name: ' + outerHTML.slice(0, 120))`);
  const broken = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
  );
  return [...broken, ...nameless];
}

/**
 * A function of the page, as text. It hides all but two elements of each kind, and returns a function that shows them again.
 * Checking the contrast of one element takes some milliseconds, and elements of a kind have the same.
 *
 * Elements of a kind have the same tags, classes, states and names of attributes: of themselves, and of everything around and
 * inside them.
 */
const HIDE_ALIKE = `(top) => {
  const STATES = /^(class|style|role|type|fill|stroke|open|hidden|aria-(current|pressed|selected|sort|disabled|invalid))$/;
  const look = ({ localName, attributes }) =>
    [localName, ...[...attributes].map(({ name, value }) => (STATES.test(name) ? name + '=' + value : name)).sort()].join();
  const looks = new Map();
  const lookWhole = (element) => {
    const whole = look(element) + '(' + [...element.children].map(lookWhole).join() + ')';
    looks.set(element, whole);
    return whole;
  };
  lookWhole(top);
  const counts = new Map();
  const hidden = [];
  const walk = (element, around) => {
    const alike = around + looks.get(element);
    const count = (counts.get(alike) ?? 0) + 1;
    counts.set(alike, count);
    if (count > 2) hidden.push([element, element.getAttribute('style')]);
    else for (const child of element.children) walk(child, around + look(element) + '>');
  };
  walk(top, '');
  for (const [element] of hidden) element.style.setProperty('display', 'none', 'important');
  return () => {
    for (const [element, style] of hidden)
      if (style === null) element.removeAttribute('style');
      else element.setAttribute('style', style);
  };
}`;
