// A button that copies a text and confirms it.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { COPY } from '../texts/viewTexts.ts';
import { Button } from './button.tsx';

export interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
}

/** The confirmation replaces the label for some seconds. */
export function CopyButton({ text, label }: CopyButtonProps): VNode {
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setConfirmation(COPY.done);
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
