// Offers downloads of the selection, the chart as a picture and as numbers, and links to copy.

import type { VNode } from 'preact';
import { isFailure } from '../api/failure.ts';
import { loadAllSeries } from '../api/loadAllSeries.ts';
import { savePng, saveSvg } from '../chart/picture.ts';
import { type ChartData, drawnSeries, hasNoValues } from '../model/chartData.ts';
import { chartTable } from '../model/chartTable.ts';
import { delimitedText } from '../model/delimitedText.ts';
import { fileName } from '../model/fileName.ts';
import { yearsText } from '../model/numberFormats.ts';
import { writePageAddress } from '../model/pageAddress.ts';
import { rowCountOf } from '../model/selection.ts';
import { subtitleOf, titleOf } from '../model/summary.ts';
import { NOTES } from '../texts/chartTexts.ts';
import { EXPORT_PANEL, TABLE } from '../texts/viewTexts.ts';
import { Button } from './button.tsx';
import { pictureNotes } from './chartNotes.tsx';
import { CopyButton } from './copyButton.tsx';
import { chartContentOf, drawChart, legendOf } from './drawChart.ts';
import { atRate } from './headline.tsx';
import type { ViewProps } from './props.ts';
import { sourceText } from './sourceLine.tsx';
import { type Download, useDownload } from './useDownload.ts';

const FORMATS = Object.entries(EXPORT_PANEL.formats).map(([format, label]) => ({ format, label }));

/** The panel below every view. Pictures and numbers of a chart are offered only where it is drawn. */
export function ExportPanel(props: ViewProps): VNode {
  const { answer, root } = props;
  const { download, begin } = useDownload(props);
  const { selection } = answer;
  const rows = rowCountOf(answer);
  const { chart } = answer;
  // The links are those of the answer that is shown. A later question may not be answered yet.
  const pinned = root + writePageAddress({ ...answer.question, asOf: answer.snapshot });
  const latest = root + writePageAddress({ ...answer.question, asOf: '' });
  const all = selection.dataset.row_count;
  return (
    <section class="export-panel" aria-label={EXPORT_PANEL.label}>
      <div>
        <h2>{EXPORT_PANEL.files}</h2>
        <p class="buttons">
          {FORMATS.map(({ format, label }) => (
            <Button look="slight" disabled={download.kind === 'running'} onClick={() => void begin(format)}>
              {label}
            </Button>
          ))}
        </p>
        <p class="quiet small">
          {EXPORT_PANEL.rows(
            rows,
            selection.period && yearsText(selection.period.first, selection.period.last),
          )}
          {all > 0 && (
            <>
              {' '}
              {EXPORT_PANEL.or}{' '}
              <Button
                look="text"
                disabled={download.kind === 'running'}
                onClick={() => void begin('parquet', { isWhole: true })}
              >
                {EXPORT_PANEL.allRows(all)}
              </Button>{' '}
              {EXPORT_PANEL.asParquet(selection.dataset.name)}
            </>
          )}
        </p>
        <p class="small" role="status">
          {statusOf(download)}
          {download.kind === 'running' && (
            <>
              {' '}
              <Button look="text" onClick={download.cancel}>
                {EXPORT_PANEL.cancel}
              </Button>
            </>
          )}
        </p>
      </div>
      {chart?.kind === 'chart' && !hasNoValues(chart.data) && (
        <div>
          <h2>{EXPORT_PANEL.picture}</h2>
          <p class="buttons">
            <Button look="slight" onClick={() => saveSvg(picture(props, chart.data))}>
              SVG
            </Button>
            <Button look="slight" onClick={() => void savePng(picture(props, chart.data))}>
              PNG
            </Button>
          </p>
          <h2>{EXPORT_PANEL.numbers}</h2>
          <p class="buttons">
            <CopyButton text={() => numbers(props, chart.data, 'csv')} label={TABLE.copyCsv(null)} />
            <CopyButton text={() => numbers(props, chart.data, 'tsv')} label={TABLE.copyTsv(null)} />
            <CopyAll {...props} data={chart.data} />
          </p>
          <p class="quiet small">{EXPORT_PANEL.numbersForm}</p>
        </div>
      )}
      <div>
        <h2>{EXPORT_PANEL.share}</h2>
        <p class="buttons">
          <CopyButton text={() => latest} label={EXPORT_PANEL.latest} />
          <CopyButton text={() => pinned} label={EXPORT_PANEL.pinned(answer.snapshot)} />
        </p>
        <p class="quiet small">{EXPORT_PANEL.noKey}</p>
      </div>
    </section>
  );
}

/** The status of the download as text. Screen readers read it too. */
function statusOf(download: Download): string {
  if (download.kind === 'idle') return '';
  if (download.kind !== 'running') return download.text;
  return EXPORT_PANEL.progress(download.file, download.bytes);
}

function numbers(props: ViewProps, data: ChartData, form: 'csv' | 'tsv'): string {
  const { columns, rows } = chartTable(data, chartContentOf(props, data).kind);
  return delimitedText(columns, rows, form);
}

/** Copies the numbers of all series, if the chart draws only the largest. */
function CopyAll({ data, answer, openState }: ViewProps & { readonly data: ChartData }): VNode | null {
  const undrawn = data.notes.find((note) => note.kind === 'other' || note.kind === 'no other')?.members;
  if (undrawn === undefined) return null;
  const text = async () => {
    const { signal } = new AbortController();
    const { snapshot } = answer;
    const series = await loadAllSeries(data, { ask: openState.client.ask, snapshot, signal });
    if (isFailure(series)) return null;
    const { columns, rows } = chartTable({ ...data, series }, 'lines');
    return delimitedText(columns, rows, 'tsv');
  };
  return <CopyButton text={text} label={TABLE.copyAll(drawnSeries(data, 'lines').length + undrawn)} />;
}

function picture(props: ViewProps, data: ChartData) {
  const { answer } = props;
  const content = chartContentOf(props, data);
  const { svg } = drawChart(content, PICTURE_WIDTH);
  return {
    svg,
    title: titleOf(data.selection, Number.POSITIVE_INFINITY),
    subtitle: subtitleOf(data, content.onlyYear) + atRate(data),
    source: [
      NOTES.source(sourceText(data.selection, answer.snapshot), null),
      legendOf(content),
      ...pictureNotes(content),
    ].join(' '),
    name: fileName(data.selection, answer.snapshot),
  };
}

/** The width of a picture, in pixels. It does not depend on the width of the window. */
const PICTURE_WIDTH = 900;
