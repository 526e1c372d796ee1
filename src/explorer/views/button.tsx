// A button, which looks alike in all views.

import type { ButtonHTMLAttributes, VNode } from 'preact';

const CLASSES = {
  filled: 'button',
  plain: 'button plain',
  slight: 'button plain slight',
  text: 'text-button',
} as const;

type ButtonProps = Omit<ButtonHTMLAttributes, 'class' | 'type'> & { readonly look: keyof typeof CLASSES };

/** A button that is no part of a form. Of several, the suggested one is filled. */
export const Button = ({ look, ...attributes }: ButtonProps): VNode => (
  <button type="button" class={CLASSES[look]} {...attributes} />
);
