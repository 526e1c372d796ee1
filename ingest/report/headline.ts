// Writes the headline of a report: a few sentences on the month.

import { groupBy } from '../../src/basics/lists.ts';
import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import type { Total } from '../compare/totalTypes.ts';
import { isWarning } from '../guards/finding.ts';
import { changeText, count, counted, listed, yearSpans } from '../messages/numbers.ts';
import type { Report } from './reportTypes.ts';
import { mostMoved, titleOf } from './totalsForReport.ts';

type Body = Omit<Report, 'format' | 'headline' | 'read'>;

/**
 * The headline, such as `Since 2026-10.1: 2,310 values revised and 51 rows new. The reported total that moved most is …`.
 */
export function headline(report: Body): string {
  return [ending(report), changes(report), guards(report)].filter((part) => part !== '').join(' ');
}

function ending({ status, checked, currentDamage }: Body): string {
  if (status !== 'refused') return '';
  if (currentDamage !== null && currentDamage.accepted === null)
    return 'Refused: the month cannot be compared, and nobody accepted that.';
  const refused = checked.guards.filter(({ result }) => result === 'refused').map(({ rule }) => rule);
  if (refused.length === 0) return 'Not published: with --strict a warning is an error.';
  return `Refused by ${refused.length === 1 ? 'the guard' : 'the guards'} ${listed(refused, 7)}.`;
}

function changes(report: Body): string {
  const { before, comparedWith, currentDamage, datasets } = report;
  const all = DATASET_NAMES.map((name) => datasets[name]);
  if (comparedWith === null) {
    const rows = all.reduce((sum, dataset) => sum + dataset.rows.after, 0);
    const contents = `${counted(rows, 'row')} in ${counted(all.length, 'dataset')}`;
    if (currentDamage === null) return `The first snapshot: ${contents}, and nothing to compare with.`;
    const why = before === null ? 'no snapshot is current' : `${before} is damaged`;
    return `Compared with nothing, because ${why}: ${contents}, and no guard examined it.`;
  }
  const uncompared = DATASET_NAMES.filter((name) => datasets[name].rows.before === null);
  const nothing =
    uncompared.length === 0
      ? `Nothing changed since ${comparedWith}: every row is as it was.`
      : `Nothing changed since ${comparedWith} in the datasets that it has; ${listed(uncompared, 5)} ${uncompared.length === 1 ? 'was' : 'were'} not compared.`;
  if (all.every(({ same }) => same)) return nothing;
  const sum = (countOf: (dataset: (typeof all)[number]) => number) =>
    all.reduce((total, dataset) => total + countOf(dataset), 0);
  const revised = sum((dataset) => dataset.revised.count);
  const emptied = sum((dataset) => dataset.emptied.count);
  const filled = sum((dataset) => dataset.filled.count);
  const arrived = sum(({ rows }) => rows.arrived);
  const added = sum(({ rows }) => rows.added) - arrived;
  const removed = sum(({ rows }) => rows.removed) - arrived;
  const clauses = [
    revised === 0 ? '' : `${counted(revised, 'value')} revised`,
    emptied === 0 ? '' : `${count(emptied)} emptied`,
    filled === 0 ? '' : `${count(filled)} filled`,
    arrived === 0 ? '' : `${counted(arrived, 'forecast')} now reported`,
    added === 0 ? '' : `${counted(added, 'row')} new`,
    removed === 0 ? '' : `${counted(removed, 'row')} gone`,
  ].filter((part) => part !== '');
  // Snapshots of earlier versions of the program may contain -0. A change from -0 to 0 makes rows differ, but revises no
  // value.
  if (clauses.length === 0) return nothing;
  return `Since ${comparedWith}: ${listed(clauses, 6)}.${largest(report)}`;
}

function largest({ datasets }: Body): string {
  const totals = DATASET_NAMES.flatMap((name) => datasets[name].totals.shown);
  const total = mostMoved(totals);
  if (total === null) {
    const gone = totals.filter(({ before, after }) => before !== null && after === null);
    const begun = totals.filter(({ before, after }) => before === null && after !== null);
    return `${totalsAre('gone', gone)}${totalsAre('new', begun)}` || ' No total moved.';
  }
  const introduction = total.forecast
    ? 'Only forecast totals moved, most'
    : 'The reported total that moved most is';
  return ` ${introduction} ${titleOf(total)}: ${changeText(total.relative)} in ${total.year}.`;
}

function totalsAre(what: string, totals: readonly Total[]): string {
  const names = [...groupBy(totals, titleOf)].map(
    ([title, ofTitle]) => `${title} in ${yearSpans(ofTitle.map(({ year }) => year))}`,
  );
  return names.length === 0 ? '' : ` Totals of ${listed(names, 5)} are ${what}.`;
}

function guards({ status, accepted, checked, comparedWith }: Body): string {
  if (comparedWith === null) return '';
  const warnings = checked.guards.flatMap(({ findings }) => findings.filter(isWarning));
  const passed = accepted.reduce((sum, { findings }) => sum + findings.length, 0);
  const parts = [
    passed === 0 ? '' : `${counted(passed, 'finding was', 'findings were')} accepted`,
    warnings.length === 0 ? '' : `the guards warn of ${count(warnings.length)}`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return status === 'refused' ? '' : 'No guard objects.';
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
