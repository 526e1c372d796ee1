// Writes a page as an Arrow IPC stream.

import type { Representation } from './representation.ts';

/**
 * Null until the Arrow library is loaded. If it were loaded at the start, a third of all loaded modules would be its
 * modules, and most servers never get a request for Arrow.
 */
let draftArrow: Representation['draftPage'] | null = null;

/** Pages as Arrow streams. */
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
