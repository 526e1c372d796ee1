// Guard `totals`: what all countries together come to in a year moved by more than revisions do.

import type { Guard } from './guard.ts';
import { movedTotals } from './moved.ts';

export const totals: Guard = (dataset, context) => movedTotals('totals', dataset, context);
