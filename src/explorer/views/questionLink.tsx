// A link to another question. A plain click does not load the page again.

import type { ComponentChildren, VNode } from 'preact';
import { writePageAddress } from '../model/pageAddress.ts';
import type { Question } from '../model/question.ts';
import type { Go } from './props.ts';

export interface LinkProps {
  readonly question: Question;
  readonly go: Go;
  readonly root: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** A link with the address of its question, so that it also opens in another tab. */
export function QuestionLink({ question, go, root, children, class: name }: LinkProps): VNode {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(question);
    // The new page may not have this link, so the focus moves to the top of the content.
    document.getElementById('main')?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  return (
    <a class={name} href={root + writePageAddress(question)} onClick={follow}>
      {children}
    </a>
  );
}
