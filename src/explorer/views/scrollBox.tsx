// A box in which a wide table scrolls sideways, also by keyboard.

import type { ComponentChildren, VNode } from 'preact';

interface ScrollBoxProps {
  /** The name of the box, for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** The box around its children. It takes the focus, so that the arrow keys scroll it. */
export const ScrollBox = ({ label, children }: ScrollBoxProps): VNode => (
  <div class="table-box" tabindex={0} role="region" aria-label={label}>
    {children}
  </div>
);
