// Finds the name of the user who runs a command, for the audit log and the history.

import os from 'node:os';

/** The name of the user. In many containers a user has only an id, and the result is a text such as `user 1000`. */
export function operatorName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
