import { readdirSync } from 'node:fs';

/** The names in a directory; none where it cannot be read. */
export function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
