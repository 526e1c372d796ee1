// Offers downloads of the selection, the chart as a picture, and links to copy.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../api/client.ts';
import { pictureName, savePng, saveSvg } from '../chart/picture.ts';
import { save } from '../chart/save.ts';
import { html } from '../html.ts';
import { writeAddress } from '../model/address.ts';
import { type ChartData, isValueless } from '../model/chart.ts';
import { fileName } from '../model/fileName.ts';
import { grouped } from '../model/format.ts';
import { pairsOf, rowsIn } from '../model/resolve.ts';
import { subtitleOf, titleOf } from '../model/summary.ts';
import { DOWNLOADS, FLAGS, TAKE_ALONG } from '../texts.ts';
import { atRate, sourceText } from './chartParts.ts';
import { Copy } from './copy.ts';
import { contentOf, draw } from './drawnChart.ts';
import type { ViewProps } from './props.ts';

const FORMATS = Object.entries(TAKE_ALONG.formats).map(([format, label]) => ({ format, label }));

type Download =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly what: string; readonly bytes: number; readonly cancel: () => void }
  | { readonly kind: 'done' | 'failed'; readonly text: string };

export function TakeAlong(props: ViewProps): VNode {
  const { shown, open, root } = props;
  const [download, setDownload] = useState<Download>({ kind: 'idle' });
  const { selection } = shown.counted;
  const rows = rowsIn(shown.counted);
  const take = async (format: string, isWhole: boolean) => {
    const controller = new AbortController();
    const what = isWhole
      ? `${selection.dataset.name}-${shown.snapshot}.${format}`
      : fileName(selection, shown.snapshot, format);
    const running = (bytes: number) =>
      setDownload({ kind: 'running', what, bytes, cancel: () => controller.abort() });
    running(0);
    const pairs = isWhole ? [] : pairsOf(selection.filters, selection.period);
    const options = { snapshot: shown.snapshot, signal: controller.signal };
    const reply = await open.client.fetch(`/v1/export/${selection.dataset.name}.${format}`, pairs, options);
    if (reply.kind !== 'ok') {
      setDownload(failed(reply));
      return;
    }
    try {
      save(await readAll(reply.body, running), what);
      setDownload({ kind: 'done', text: DOWNLOADS.done(what) });
    } catch {
      setDownload(
        failed(controller.signal.aborted ? { kind: 'cancelled' } : { kind: 'away', waitSeconds: 0 }),
      );
    }
  };
  const { chart } = shown;
  // The links are those of the answer that is shown. A later question may not be answered yet.
  const pinned = root + writeAddress({ ...shown.question, asOf: shown.snapshot });
  const latest = root + writeAddress({ ...shown.question, asOf: '' });
  return html`<section class="take-along" aria-label=${TAKE_ALONG.label}>
    <div><h2>${TAKE_ALONG.files}</h2>
      <p class="buttons">${FORMATS.map(({ format, label }) => html`<button type="button" class="button plain slight" disabled=${download.kind === 'running'} onClick=${() => void take(format, false)}>${label}</button>`)}</p>
      <p class="quiet small">${TAKE_ALONG.rows(rows)} <button type="button" class="text-button" disabled=${download.kind === 'running'} onClick=${() => void take('parquet', true)}>${TAKE_ALONG.allRows(selection.dataset.row_count)}</button> ${TAKE_ALONG.asParquet(selection.dataset.name)}</p>
      <p class="small" role="status">${said(download)}${download.kind === 'running' && html` <button type="button" class="text-button" onClick=${download.cancel}>${TAKE_ALONG.cancel}</button>`}</p>
    </div>
    ${
      chart?.kind === 'chart' &&
      !isValueless(chart.data) &&
      html`<div><h2>${TAKE_ALONG.picture}</h2>
      <p class="buttons">
        <button type="button" class="button plain slight" onClick=${() => saveSvg(picture(props, chart.data))}>SVG</button>
        <button type="button" class="button plain slight" onClick=${() => void savePng(picture(props, chart.data))}>PNG</button>
      </p></div>`
    }
    <div><h2>${TAKE_ALONG.share}</h2>
      <p class="buttons"><${Copy} text=${() => latest} label=${TAKE_ALONG.latest} /><${Copy} text=${() => pinned} label=${TAKE_ALONG.pinned(shown.snapshot)} /></p>
      <p class="quiet small">${TAKE_ALONG.noKey}</p>
    </div>
  </section>`;
}

function said(download: Download): string {
  if (download.kind === 'idle') return '';
  if (download.kind !== 'running') return download.text;
  return `${download.what}: ${grouped(Math.round(download.bytes / 1024))} kB…`;
}

function failed(failure: Failure): Download {
  switch (failure.kind) {
    case 'cancelled':
      return { kind: 'idle' };
    case 'unauthorised':
      return { kind: 'failed', text: DOWNLOADS.unauthorised };
    case 'refused':
      return {
        kind: 'failed',
        text: failure.topic === 'unknown-snapshot' ? DOWNLOADS.pruned : failure.error,
      };
    case 'limited':
    case 'away': {
      const text = `${DOWNLOADS[failure.kind]} ${DOWNLOADS.again(failure.waitSeconds)}`;
      return { kind: 'failed', text };
    }
  }
}

/** Reads the whole body. Throws when it breaks off, so that half a file is never saved. */
async function readAll(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const reader = response.body?.getReader();
  if (reader === undefined) return response.blob();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    onBytes(bytes);
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' });
}

function picture(props: ViewProps, data: ChartData) {
  const { shown } = props;
  const content = contentOf(props, data);
  const { kind, chosenYear } = content;
  const { svg } = draw(content, PICTURE_WIDTH);
  return {
    svg,
    title: titleOf(data.selection, Number.POSITIVE_INFINITY),
    subtitle: subtitleOf(data, kind, chosenYear) + atRate(data),
    source: `Source: ${sourceText(data.selection, shown.snapshot)}. ${FLAGS[kind]}`,
    name: pictureName(fileName(data.selection, shown.snapshot, 'svg')),
  };
}

/** In pixels. It does not depend on the width of the window. */
const PICTURE_WIDTH = 900;
