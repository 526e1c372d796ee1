// Gives the value of the control that sent an event.

export const inputValue = (event: Event): string =>
  (event.currentTarget as HTMLSelectElement | HTMLInputElement).value;
