// Guard `totals`: the total of a year over all countries moved by more than revisions usually move it.

import type { Guard } from './guard.ts';
import { movedTotals } from './moved.ts';

export const totals: Guard = (dataset, input) => movedTotals('totals', dataset, input);
