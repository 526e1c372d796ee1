// Finds the parts of a workbook through its relationships: sheets, shared strings, styles.

import path from 'node:path/posix';
import { LIMITS, megabytes } from '../limits.ts';
import { UnreadableError } from '../raw.ts';
import { walkXml } from './xml.ts';
import type { Zip, ZipPart } from './zip.ts';

export interface WorkbookParts {
  /** The sheets that hold cells, in the order of their tabs; charts and dialogs are left out. */
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean; readonly part: ZipPart }[];
  readonly sharedStrings: ZipPart | undefined;
  readonly styles: ZipPart | undefined;
  /** Whether dates count from 1904. */
  readonly date1904: boolean;
}

/** Throws UnreadableError when the zip is no workbook, or a sheet it names is missing. */
export async function readWorkbookParts(zip: Zip, file: string): Promise<WorkbookParts> {
  const start = [...(await readRelationships(zip, file, '')).values()].find(
    (r) => r.type === 'officeDocument',
  );
  const workbook = start && zip.find(start.target);
  if (!workbook) {
    throw new UnreadableError(
      `${file}: is a zip file but no workbook: open it in a spreadsheet program and save it as .xlsx`,
    );
  }
  if (workbook.name.toLowerCase().endsWith('.bin')) {
    throw new UnreadableError(`${file}: is an .xlsb workbook: save it as .xlsx`);
  }
  const related = await readRelationships(zip, file, workbook.name);
  const ofType = (type: string) => {
    const relationship = [...related.values()].find((r) => r.type === type);
    return relationship && zip.find(relationship.target);
  };
  const { entries, date1904 } = await readWorkbook(zip, file, workbook);
  const sheets = entries.flatMap(({ name, hidden, id }) => {
    const relationship = related.get(id);
    if (relationship && relationship.type !== 'worksheet') return [];
    const part = relationship && zip.find(relationship.target);
    if (part) return [{ name, hidden, part }];
    throw new UnreadableError(
      `${file} › ${name}: the sheet is missing from the file: open it in a spreadsheet program and save it again`,
    );
  });
  if (sheets.length === 0)
    throw new UnreadableError(`${file}: holds no sheet with cells: save the data in one`);
  return {
    sheets,
    sharedStrings: ofType('sharedStrings'),
    styles: ofType('styles'),
    date1904,
  };
}

interface Relationship {
  /** The last word of its type, which strict and transitional workbooks share. */
  readonly type: string;
  /** The part's name from the root of the package. */
  readonly target: string;
}

/** What a part refers to, by id; the package itself is `''`. A part without relationships has none. */
async function readRelationships(
  zip: Zip,
  file: string,
  source: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = path.dirname(`/${source}`);
  const found = new Map<string, Relationship>();
  const part = zip.find(path.join(folder, '_rels', `${path.basename(source)}.rels`));
  if (!part) return found;
  await walkXml(zip.read(small(part, file)), 'Relationships', `${file} (${part.name})`, {
    open(name, attributes) {
      if (name !== 'Relationship' || attributes.get('TargetMode') === 'External') return;
      const type = attributes.get('Type')?.split('/').at(-1) ?? '';
      const target = path.resolve(folder, attributes.get('Target')?.replaceAll('\\', '/') ?? '');
      found.set(attributes.get('Id') ?? '', { type, target });
    },
    text() {},
    close() {},
  });
  return found;
}

interface SheetEntry {
  readonly name: string;
  readonly hidden: boolean;
  /** Of the relationship that leads to it. */
  readonly id: string;
}

async function readWorkbook(
  zip: Zip,
  file: string,
  part: ZipPart,
): Promise<{ entries: readonly SheetEntry[]; date1904: boolean }> {
  const entries: SheetEntry[] = [];
  let date1904 = false;
  await walkXml(zip.read(small(part, file)), 'workbook', `${file} (${part.name})`, {
    open(name, attributes) {
      // Extensions have an element of that name too, without the attribute.
      if (name === 'workbookPr') date1904 ||= /^(1|true)$/.test(attributes.get('date1904') ?? '');
      if (name !== 'sheet') return;
      const state = attributes.get('state') ?? 'visible';
      entries.push({
        name: attributes.get('name') ?? '',
        hidden: state !== 'visible',
        id: attributes.get('id') ?? '',
      });
    },
    text() {},
    close() {},
  });
  return { entries, date1904 };
}

/** The part itself, when it may be held in memory. */
export function small(part: ZipPart, file: string, limitBytes: number = LIMITS.smallPartBytes): ZipPart {
  if (part.bytes <= limitBytes) return part;
  throw new UnreadableError(
    `${file} (${part.name}): unpacks to ${megabytes(part.bytes)}, and ${megabytes(limitBytes)} are the limit: ` +
      'split the workbook',
  );
}
