// Saves bytes as a file on the machine of the person.

/** Lets the browser download the bytes under a name. Their address is freed after a minute. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
