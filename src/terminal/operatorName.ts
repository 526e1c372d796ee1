// Finds the name of the user who runs a command, for the audit log and the history.

import os from 'node:os';

/** The name of the user, or the user id when it has no name, as in many containers. */
export function operatorName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
