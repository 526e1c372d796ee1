// The value of the control that an event comes from.

export const inputValue = (event: Event): string =>
  (event.currentTarget as HTMLSelectElement | HTMLInputElement).value;
