// Asks axe-core what is wrong with a page: `expect(await violations(page)).toEqual([])`.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Each rule that is broken, with the elements that break it.
 *
 * It runs in the page alone: the other way opens a window for each page, and nothing here has frames. axe describes only
 * what is wrong, because describing thousands of elements that are right takes longer than checking them.
 * @param colours 'only' looks at contrasts alone, 'none' at all else; both is said by leaving it out.
 */
export async function violations(page: Page, colours?: 'only' | 'none'): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    ...(colours === 'only' && { runOnly: ['color-contrast'] }),
    ...(colours === 'none' && { rules: { 'color-contrast': { enabled: false } } }),
  });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
}
