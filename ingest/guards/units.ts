// Guard `units`: every value of a group is ten, a hundred, a thousand or a million times what it was, or that part of it.

import type { ScaledGroup } from '../compare/types.ts';
import { count, listed } from '../messages/numbers.ts';
import type { Guard } from './guard.ts';

/** How many groups are named. */
const NAMED = 5;

export const units: Guard = ({ scaled }) =>
  scaled.length === 0 ? [] : [{ severity: 'refuse', message: listed(scaled.map(told), NAMED) }];

function told({ metric, group, factor, values }: ScaledGroup): string {
  const of = Object.entries(group).map(
    ([dimension, value]) => `${dimension} ${value === '' ? '(none)' : value}`,
  );
  const where = of.length === 0 ? '' : ` of ${of.join(', ')}`;
  const by = factor > 1 ? `× ${count(factor)}` : `÷ ${count(Math.round(1 / factor))}`;
  const every = values === 1 ? 'the value' : `all ${count(values)} values`;
  return `${every} of ${metric}${where} ${values === 1 ? 'is' : 'are'} what they were ${by}`;
}
