// Checks a page with axe-core: `expect(await violations(page)).toEqual([])`.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isDeep } from './depth.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The broken rules, each with the elements that break it. The page must have no frames. A rule of our own requires names of
 * tables, because axe has none and screen readers list tables by their names.
 *
 * axe reports only violations: describing thousands of correct elements takes longer than checking them.
 *
 * `make test` checks the contrasts of two elements of each kind, in a third of the time.
 *
 * @param colours 'only' checks contrasts alone. 'none' checks everything but contrasts. When left out, everything is
 * checked.
 * @param within A selector: only this part of the page is checked.
 */
export async function violations(page: Page, colours?: 'only' | 'none', within = 'html'): Promise<string[]> {
  if (colours === undefined && !isDeep)
    return [...(await violations(page, 'none', within)), ...(await violations(page, 'only', within))];
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(colours === 'only' && { runOnly: ['color-contrast'] }),
    ...(colours === 'none' && { rules: { 'color-contrast': { enabled: false } } }),
  };
  const part = JSON.stringify(within);
  const hideAlike =
    colours === 'only' && !isDeep ? `(${HIDE_ALIKE})(document.querySelector(${part}))` : '() => {}';
  await page.evaluate(FADED);
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(`(() => { ${AXE} })()`);
  const { violations: found } = await page.evaluate<Pick<AxeResults, 'violations'>>(`(() => {
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
  const broken = found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
  );
  return [...broken, ...nameless];
}

/** Waits until all fades and other motions have ended, because texts that fade in have too little contrast meanwhile. */
const FADED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished))`;

/**
 * The text of a function that the page runs. It hides all but two elements of each kind, and returns a function that shows
 * them again. Checking the contrast of one element takes some milliseconds, and elements of a kind have the same contrast.
 *
 * Elements of a kind agree in tag, classes, states and attribute names, and so do their ancestors and descendants.
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
