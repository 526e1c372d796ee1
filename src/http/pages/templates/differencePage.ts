// The page that shows the difference of two snapshots, by their manifests.

import { DATASET_NAMES, type DatasetName, datasetOf } from '../../../catalog/datasets.ts';
import type { AnyManifest, DatasetManifest, SourceManifest } from '../../../catalog/manifest.ts';
import { type Html, html } from '../../../text/html.ts';
import { dataTable } from './dataTable.ts';
import type { Page } from './pageFrame.ts';
import { counted, grouped } from './parts.ts';
import { type TeamVisit, teamPage } from './teamPage.ts';

/**
 * The page. `headline` is the headline of the report of `after`; null when that report does not compare it with
 * `before`.
 */
export const differencePage = (
  visit: TeamVisit,
  {
    before,
    after,
    headline,
  }: { readonly before: AnyManifest; readonly after: AnyManifest; readonly headline: string | null },
): Page =>
  teamPage(visit, {
    title: `${before.id} and ${after.id}`,
    tab: 'Months',
    main: html`
<div class="sections">
<div class="stack">
<p class="links"><a href="${visit.root}admin/months">All months</a></p>
<h1>${before.id} → ${after.id}</h1>
<p class="lead">${before.fingerprint === after.fingerprint ? 'Both hold the same rows.' : 'Rows, missing values and values of dimensions. Values that were revised are not counted here.'}</p>
${headline !== null && html`<p>${headline} <a href="${visit.root}admin/months/${after.id}/report">The report of ${after.id}</a> has the revisions.</p>`}
<p>Row by row: <code>npm run ingest -- diff ${before.id} ${after.id}</code></p>
</div>
${DATASET_NAMES.map((name) => datasetSection(name, before, after))}
<section class="stack" aria-labelledby="sources"><h2 id="sources">Sources</h2>${sources(before, after)}</section>
</div>`,
  });

/** The section of a dataset; null when neither snapshot has it, because older versions of the program made them. */
function datasetSection(
  name: DatasetName,
  { id: idBefore, datasets: datasetsBefore }: AnyManifest,
  { id: idAfter, datasets: datasetsAfter }: AnyManifest,
): Html | null {
  const [before, after] = [datasetsBefore[name], datasetsAfter[name]];
  if (before === undefined && after === undefined) return null;
  const head = html`<h2 id="${name}">${name} <span class="quiet small">${datasetOf(name).description}</span></h2>`;
  const inWords = (words: string) =>
    html`<section class="stack" aria-labelledby="${name}">${head}<p class="quiet">${words}</p></section>`;
  if (before === undefined)
    return inWords(`${counted(after?.rows ?? 0, 'row')}; ${idBefore} lacks the dataset.`);
  if (after === undefined)
    return inWords(`${counted(before.rows, 'row')} before; ${idAfter} lacks the dataset.`);
  if (before.fingerprint === after.fingerprint) return inWords(`The same ${counted(after.rows, 'row')}.`);
  return html`<section class="stack" aria-labelledby="${name}">${head}
${differences(name, before, after)}
</section>`;
}

/** The differences of a dataset in two snapshots: a table of numbers, and the values that were added and removed. */
function differences(name: DatasetName, before: DatasetManifest, after: DatasetManifest): Html {
  return html`${dataTable({
    label: `Differences of ${name}`,
    headings: ['What', 'Before', 'After', 'Difference'],
    rows: numbersOf(name, before, after),
    cells: (number) => html`
<td role="cell" class="first"><span class="label">${number.what}</span></td>
<td role="cell" data-label="Before" class="number"><span>${number.before}</span></td>
<td role="cell" data-label="After" class="number"><span>${number.after}</span></td>
<td role="cell" data-label="Difference" class="number"><span>${number.by}</span></td>`,
  })}
${changedDimensions(before, after).map(({ dimension, added, removed }) => html`<p><strong>${dimension}</strong>${added.length > 0 && html` new: ${namesOf(added)}`}${added.length > 0 && removed.length > 0 && ';'}${removed.length > 0 && html` gone: ${namesOf(removed)}`}</p>`)}`;
}

/** The rows of the table: the number of rows, missing values where their number differs, and the years. */
function numbersOf(name: DatasetName, before: DatasetManifest, after: DatasetManifest) {
  const compared = (what: string, old: number, fresh: number) => ({
    what,
    before: grouped(old),
    after: grouped(fresh),
    by: signed(fresh - old),
  });
  return [
    compared('Rows', before.rows, after.rows),
    ...Object.keys(datasetOf(name).metrics).flatMap((metric) => {
      const [old, fresh] = [before.metrics[metric], after.metrics[metric]];
      if (old === undefined || fresh === undefined || old.nulls === fresh.nulls) return [];
      return [compared(`${metric}: missing values`, old.nulls, fresh.nulls)];
    }),
    { what: 'Years', before: spanOf(before.years), after: spanOf(after.years), by: '' },
  ];
}

function changedDimensions(before: DatasetManifest, after: DatasetManifest) {
  const valuesOf = ({ dimensions }: DatasetManifest, dimension: string) =>
    new Set((dimensions[dimension] ?? []).map(({ value }) => value));
  return Object.keys(after.dimensions).flatMap((dimension) => {
    const [old, fresh] = [valuesOf(before, dimension), valuesOf(after, dimension)];
    const added = [...fresh].filter((value) => !old.has(value));
    const removed = [...old].filter((value) => !fresh.has(value));
    return added.length + removed.length === 0 ? [] : [{ dimension, added, removed }];
  });
}

const signed = (by: number): string => (by === 0 ? '±0' : `${by > 0 ? '+' : '−'}${grouped(Math.abs(by))}`);

const spanOf = (years: readonly number[]): string =>
  years.length === 0 ? '–' : `${years[0]} to ${years.at(-1)}`;

const MAX_NAMED_VALUES = 30;

const namesOf = (values: readonly string[]): string =>
  values
    .slice(0, MAX_NAMED_VALUES)
    .map((value) => (value === '' ? '(empty)' : value))
    .join(', ') +
  (values.length > MAX_NAMED_VALUES ? ` and ${grouped(values.length - MAX_NAMED_VALUES)} more` : '');

function sources(before: AnyManifest, after: AnyManifest): Html {
  const known = new Map(before.sources.map(({ file, sha256 }) => [file, sha256]));
  const wordOf = ({ file, sha256 }: SourceManifest): string => {
    if (!known.has(file)) return 'new';
    return known.get(file) === sha256 ? 'the same file' : 'changed';
  };
  const files = after.sources.map((source) => ({ file: source.file, word: wordOf(source) }));
  const gone = before.sources.filter(({ file }) => !after.sources.some((one) => one.file === file));
  return html`<ul>${files.map(({ file, word }) => html`<li>${file}: ${word}</li>`)}${gone.map(({ file }) => html`<li>${file}: gone</li>`)}</ul>`;
}
