// A button that copies a text and says so.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../html.ts';

export interface CopyProps {
  readonly text: () => string;
  readonly label: string;
}

export function Copy({ text, label }: CopyProps): VNode {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setSaid('Copied');
    } catch {
      setSaid('The browser did not allow it');
    }
    setTimeout(() => setSaid(null), 2500);
  };
  return html`<button type="button" class="button plain slight" onClick=${copy}>${said ?? label}<span class="unseen" role="status">${said ?? ''}</span></button>`;
}
