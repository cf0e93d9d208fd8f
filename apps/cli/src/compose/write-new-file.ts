import { writeFileSync } from 'node:fs';
import { osReason } from '@croft/workspace';
import { UsageError } from '../usage-error.ts';

/** Writes a file that is not there yet. @throws UsageError where it is there, or cannot be written */
export function writeNewFile(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${path}: the file exists; choose another name`);
    throw new UsageError(`${path}: cannot be written: ${osReason(error)}`);
  }
}
