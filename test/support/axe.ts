// Asks axe-core what is wrong with a page: `expect(await violations(page)).toEqual([])`.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Each rule that is broken, with the elements that break it.
 *
 * It runs in the page alone: the other way opens a window for each page, and nothing here has frames. axe describes only
 * what is wrong, because describing thousands of elements that are right takes longer than checking them.
 * @param rules Only these; all without them.
 */
export async function violations(page: Page, rules: readonly string[] = []): Promise<string[]> {
  const runOnly = rules.length > 0 ? { runOnly: [...rules] } : {};
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], ...runOnly });
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
}
