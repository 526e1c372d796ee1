// Guard `rows`: a dataset that grew or shrank by more than months do.

import { change, count } from '../report/words.ts';
import { type Guard, percent, severityOf } from './guard.ts';

export const rows: Guard = ({ rows: { before, after } }, { comparison, limits }) => {
  const share = after / before - 1;
  const severity = severityOf(share, limits.rows);
  if (severity === null) return [];
  const numbers = `${count(after)} rows where ${comparison.before.id} has ${count(before)} (${change(share)})`;
  return [{ severity, message: `${numbers}; ${percent(limits.rows[severity])} or more is suspicious` }];
};
