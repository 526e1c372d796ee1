// The name of the operating system's user who runs a command, for the logs of who did what.

import os from 'node:os';

/** Many containers run under a user id without a name: that is no reason to fail. */
export function operatorName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
