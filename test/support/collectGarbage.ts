// Collects all garbage at once, for tests of memory that is freed.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage: () => void = runInNewContext('gc');
// Other tests of the same worker check that the product does not leave the flag set.
setFlagsFromString('--no-expose-gc');
