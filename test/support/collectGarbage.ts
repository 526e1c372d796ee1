// Collects all garbage at once, for tests of what is freed with it.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage: () => void = runInNewContext('gc');
// Other tests of the same worker see whether the product leaves the flag set.
setFlagsFromString('--no-expose-gc');
