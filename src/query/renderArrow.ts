// Writes a page as an Arrow IPC stream.

import type { Representation } from './render.ts';

/** Null until the library is loaded: most servers are never asked for Arrow, and it is a third of the modules of a start. */
let draftArrow: Representation['draftPage'] | null = null;

export const ARROW_REPRESENTATION: Representation = {
  name: 'arrow',
  contentType: 'application/vnd.apache.arrow.stream',
  async prepare() {
    ({ draftArrow } = await import('./arrowPage.ts'));
  },
  draftPage(page, buffers) {
    if (draftArrow === null) throw new Error('an Arrow page is drafted before its library is loaded');
    return draftArrow(page, buffers);
  },
};
