// Asks axe-core what is wrong with a page: `expect(await violations(page)).toEqual([])`.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Each rule that is broken, with the elements that break it. The page must have no frames.
 *
 * axe describes only what is wrong, because describing thousands of elements that are right takes longer than checking them.
 * @param colours 'only' looks at contrasts alone, 'none' at all else, which takes a third of the time; both is said by
 * leaving it out.
 * @param within A selector: looks at this part of the page alone.
 */
export async function violations(page: Page, colours?: 'only' | 'none', within = 'html'): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(colours === 'only' && { runOnly: ['color-contrast'] }),
    ...(colours === 'none' && { rules: { 'color-contrast': { enabled: false } } }),
  };
  await page.evaluate(`typeof axe === 'object' || (() => { ${AXE} })()`);
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
}
