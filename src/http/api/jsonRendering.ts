// Renders a small JSON body in one step, for endpoints that do not write theirs directly from columns.

import { unpooled } from '../../cache/bufferPool.ts';
import { type Draft, finishedDraft, type Rendering } from '../../cache/rendering.ts';

/** The body as a finished draft. */
export const jsonDraft = (body: object): Draft => finishedDraft(unpooled(Buffer.from(JSON.stringify(body))));

/** The rendering of a whole body, which no other page follows. */
export const jsonRendering = (body: object): Rendering => ({ begin: () => jsonDraft(body), nextQuery: null });
