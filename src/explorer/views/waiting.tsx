// The text in place of what is being loaded.

import type { VNode } from 'preact';

/** The text. Screen readers read it as soon as it appears. */
export const Waiting = ({ text }: { readonly text: string }): VNode => (
  <p class="wait" role="status">
    {text}
  </p>
);
