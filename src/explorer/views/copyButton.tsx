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
    try {
      const content = await text();
      if (content !== null) await navigator.clipboard.writeText(content);
      setConfirmation(content === null ? COPY.away : COPY.done);
    } catch {
      setConfirmation(COPY.refused);
    }
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
