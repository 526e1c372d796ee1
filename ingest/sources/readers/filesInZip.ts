// Lists the files in a zip file that is not a workbook.

import { open } from 'node:fs/promises';
import path from 'node:path';
import { readDirectory } from './zip/directory.ts';

/** The names of the files in a zip file, without their folders; none when it is damaged, encrypted or cannot be read. */
export async function filesInZip(file: string, name: string): Promise<string[]> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return [];
  try {
    const entries = [...(await readDirectory(handle, name, '.zip')).values()];
    return entries.map(({ writtenName }) => path.posix.basename(writtenName.replaceAll('\\', '/')));
  } catch {
    return [];
  } finally {
    await handle.close();
  }
}
