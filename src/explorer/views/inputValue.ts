// Gives the value of the control that sent an event.

/** The text of an input, or the chosen value of a menu. */
export const inputValue = (event: Event): string =>
  (event.currentTarget as HTMLSelectElement | HTMLInputElement).value;
