// A hook that downloads the selection, or the whole dataset, as a file. It reports the progress.

import { useState } from 'preact/hooks';
import type { Failure } from '../api/failure.ts';
import { saveFile } from '../chart/saveFile.ts';
import { fileName } from '../model/fileName.ts';
import { queryPairsOf } from '../model/selection.ts';
import { DOWNLOADS } from '../texts/viewTexts.ts';
import type { ViewProps } from './props.ts';

export type Download =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly file: string; readonly bytes: number; readonly cancel: () => void }
  | { readonly kind: 'done' | 'failed'; readonly text: string };

export interface Downloads {
  /** The running download, or the result of the last one. */
  readonly download: Download;
  /** Downloads the selection in a format, or with `isWhole` all rows of its dataset. */
  begin(format: string, options?: { readonly isWhole?: boolean }): Promise<void>;
}

/** Downloads one file at a time, from the snapshot that is shown. */
export function useDownload({ answer, openState }: ViewProps): Downloads {
  const [download, setDownload] = useState<Download>({ kind: 'idle' });
  const { selection } = answer;
  const begin: Downloads['begin'] = async (format, { isWhole = false } = {}) => {
    const controller = new AbortController();
    const name = isWhole
      ? `${selection.dataset.name}-${answer.snapshot}`
      : fileName(selection, answer.snapshot);
    const file = `${name}.${format}`;
    const showProgress = (bytes: number) =>
      setDownload({ kind: 'running', file, bytes, cancel: () => controller.abort() });
    showProgress(0);
    const pairs = isWhole ? [] : queryPairsOf(selection.filters, selection.period);
    const options = { snapshot: answer.snapshot, signal: controller.signal };
    const reply = await openState.client.fetch(
      `/v1/export/${selection.dataset.name}.${format}`,
      pairs,
      options,
    );
    if (reply.kind !== 'ok') {
      setDownload(failed(reply));
      return;
    }
    try {
      saveFile(await readAll(reply.body, showProgress), file);
      setDownload({ kind: 'done', text: DOWNLOADS.done(file) });
    } catch {
      setDownload(controller.signal.aborted ? { kind: 'idle' } : { kind: 'failed', text: DOWNLOADS.cutOff });
    }
  };
  return { download, begin };
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
