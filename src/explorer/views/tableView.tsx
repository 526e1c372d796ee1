// Shows the rows as a table. Further pages are loaded on demand, and the loaded rows can be sorted and copied.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { valueLabel } from '../labels.ts';
import { delimitedText } from '../model/delimitedText.ts';
import { DEFAULT_QUESTION } from '../model/question.ts';
import { rowCountOf } from '../model/selection.ts';
import { titleInView } from '../model/summary.ts';
import { hasOneValue, type Sorting, sortedRows, splitColumns, tableColumns } from '../model/tableRows.ts';
import { TABLE } from '../texts/viewTexts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copyButton.tsx';
import { FailureNotice } from './failureNotice.tsx';
import type { ViewProps } from './props.ts';
import { QuestionLink } from './questionLink.tsx';
import { RowsTable } from './rowsTable.tsx';
import { SourceOnPaper } from './sourceLine.tsx';
import { PAGE_ROWS, useRows } from './useRows.ts';

/** The most rows that are shown, because browsers become slow with more. A download has all rows. */
const MAX_DRAWN_ROWS = 5000;

/** The table. If a column has one value in all rows, the value is shown once, above the table. */
export function TableView(props: ViewProps): VNode {
  const { answer, openState } = props;
  const { selection } = answer;
  const { loaded: current, loadMore } = useRows(answer, openState.client);
  const [chosenSorting, setSorting] = useState<Sorting | null>(null);
  const columns = tableColumns(selection, props.question);
  // Another dataset may not have the column by which the rows were sorted.
  const sorting = columns.some(({ name }) => name === chosenSorting?.column) ? chosenSorting : null;
  const rows = sortedRows(current.rows, sorting);
  const all = rowCountOf(answer);
  const [hasAll, setAll] = useState(false);
  const { varying, constant } = splitColumns(
    columns,
    current.rows,
    (name) => current.cursor === null || hasOneValue(answer, name),
  );
  const loadedOnly = current.cursor === null || rows.length === 0 ? null : rows.length;
  const names = constant
    .filter(({ value }) => value !== '')
    .map(({ column, value }) => valueLabel(column.name, String(value ?? '')));
  const linkOf = (name: string) => {
    const page = { kind: 'country', name } as const;
    const question = { ...DEFAULT_QUESTION, asOf: props.question.asOf, page };
    return (
      <QuestionLink go={props.go} root={props.root} question={question}>
        <bdi>{name}</bdi>
      </QuestionLink>
    );
  };
  const title = titleInView('table', selection);
  return (
    <section class="table-view">
      <h1>{title}</h1>
      <div class="table-head">
        <p role="status">
          {TABLE.loaded(current.rows.length, all)}
          {selection.metric !== null && TABLE.asStored}
          {sorting !== null && current.cursor !== null ? TABLE.sortedWithin : ''}
        </p>
        {rows.length > 0 && (
          <p class="buttons screen-only">
            <CopyButton text={() => delimitedText(columns, rows, 'csv')} label={TABLE.copyCsv(loadedOnly)} />
            <CopyButton text={() => delimitedText(columns, rows, 'tsv')} label={TABLE.copyTsv(loadedOnly)} />
          </p>
        )}
      </div>
      {current.failure !== null && (
        <FailureNotice {...props} failure={current.failure} retry={loadMore} snapshot={answer.snapshot} />
      )}
      {constant.length > 0 && (
        <p class="small constant">
          {names.length > 0 && (
            <span>
              {TABLE.inEveryRow} <bdi>{names.join(' · ')}</bdi>
            </span>
          )}
          <label class="tick screen-only">
            <input type="checkbox" checked={hasAll} onChange={() => setAll(!hasAll)} />
            {TABLE.allColumns}
          </label>
        </p>
      )}
      <RowsTable
        title={title}
        columns={hasAll ? columns : varying}
        rows={rows.slice(0, MAX_DRAWN_ROWS)}
        sorting={sorting}
        onSort={setSorting}
        linkOf={selection.metric === null ? linkOf : null}
      />
      {rows.length > MAX_DRAWN_ROWS && <p class="quiet">{TABLE.first(MAX_DRAWN_ROWS)}</p>}
      {current.cursor !== null &&
        // The notice of a failure has a button of its own, or says that there is nothing to load.
        current.failure === null && (
          <p class="screen-only">
            <Button look="plain" disabled={current.isLoading} onClick={loadMore}>
              {current.isLoading
                ? TABLE.loading
                : TABLE.more(Math.min(PAGE_ROWS, Math.max(0, all - current.rows.length)))}
            </Button>
          </p>
        )}
      <SourceOnPaper {...props} />
    </section>
  );
}
