import { DocumentProblem } from './document-job.ts';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const MAX_ENTRIES = 10_000;
/** Unpacked, as the archive itself says. A false size ends at the limits of the process. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Refuses an Office file that is not an archive, or that says it unpacks to too much. Reads the directory of the archive
 * and unpacks nothing.
 *
 * @throws DocumentProblem
 */
export function checkArchive(bytes: Buffer): void {
  const end = endOf(bytes);
  if (end === undefined) throw damaged();
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  let total = 0;
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw damaged();
    total += bytes.readUInt32LE(at + 24);
    if (entry >= MAX_ENTRIES || total > MAX_BYTES)
      throw new DocumentProblem(
        `It unpacks to more than ${MAX_BYTES / 1024 / 1024} MiB or ${MAX_ENTRIES} files.`,
        'Use a smaller document.',
      );
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

function endOf(bytes: Buffer): number | undefined {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= first; at--) if (bytes.readUInt32LE(at) === END) return at;
  return undefined;
}

export const damaged = (): DocumentProblem =>
  new DocumentProblem(
    'It is not the file that its name says, or is damaged.',
    'Open it in another program and save it again.',
  );
