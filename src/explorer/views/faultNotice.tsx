// The notice of an error in the page itself, above whatever is still on the screen.

import type { VNode } from 'preact';
import { FAULT } from '../texts/pageTexts.ts';
import { Button } from './button.tsx';

/** Says that the page may show something else than was asked, and offers to load it again. */
export const FaultNotice = (): VNode => (
  <div class="notice warning" role="alert">
    <h2>{FAULT.title}</h2>
    <p>{FAULT.text}</p>
    <Button look="plain" onClick={() => location.reload()}>
      {FAULT.reload}
    </Button>
  </div>
);
