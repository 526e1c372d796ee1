// A button that copies a text and confirms it.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { COPY } from '../texts/viewTexts.ts';
import { Button } from './button.tsx';

export interface CopyButtonProps {
  /** The text. Null when it had to be loaded, and the service did not answer. */
  readonly text: () => string | Promise<string | null>;
  readonly label: string;
}

/** The confirmation replaces the label for some seconds. */
export function CopyButton({ text, label }: CopyButtonProps): VNode {
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const copy = async () => {
    const content = text();
    setConfirmation(await (typeof content === 'string' ? written(content) : writtenWhenLoaded(content)));
    setTimeout(() => setConfirmation(null), 2500);
  };
  return (
    <Button look="slight" onClick={copy}>
      {confirmation ?? label}
      <span class="unseen" role="status">
        {confirmation ?? ''}
      </span>
    </Button>
  );
}

const written = (content: string): Promise<string> =>
  navigator.clipboard.writeText(content).then(
    () => COPY.done,
    () => COPY.refused,
  );

/** Some browsers let a page write only during the click. So the clipboard gets the promise of a text that is being loaded. */
async function writtenWhenLoaded(loading: Promise<string | null>): Promise<string> {
  const content = loading.then((loaded) => {
    if (loaded === null) throw new Error(COPY.away);
    return new Blob([loaded], { type: 'text/plain' });
  });
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': content })]);
    return COPY.done;
  } catch {
    return (await loading) === null ? COPY.away : COPY.refused;
  }
}
