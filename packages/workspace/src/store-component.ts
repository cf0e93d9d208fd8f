import { lutimesSync } from 'node:fs';
import {
  type ComponentFile,
  componentFile,
  type ComponentOrigin,
  filesOfClass,
  requireFreeName,
} from './component-files.ts';
import type { Enclosure } from './enclosure.ts';
import { readTextSync } from './operations/read-whole.ts';
import { writeFile } from './operations/write-file.ts';
import { removeTemp } from './remove-tree.ts';

/** A source to store. */
export interface NewSource {
  readonly className: string;
  readonly code: string;
  readonly origin: ComponentOrigin;
  /** Of a generated one; of a saved one, where an assistant saves it. */
  readonly conversation: string | undefined;
}

/**
 * Writes a source as the newest one of its class. A saved one takes the place of the generated one of its conversation, and of
 * those with the same code. Other conversations keep what they generated.
 *
 * @throws WorkspaceError `exists`, `quota`, and those of `writeFile`
 */
export function storeComponent(store: Enclosure, { className, code, origin, conversation }: NewSource): void {
  const file = componentFile(className, origin, conversation);
  requireFreeName(store, className, file);
  const others = filesOfClass(store, className).filter(({ name }) => name !== file);
  writeFile(store, file, code);
  if (origin === 'saved') {
    const own = componentFile(className, 'generated', conversation);
    for (const { name } of others) if (name === own || hasCode(store, name, code)) removeTemp(store.root.dir.at(name));
  }
  makeNewest(store, className, file, others);
}

function hasCode(store: Enclosure, file: string, code: string): boolean {
  try {
    return readTextSync(store, file).text === code;
  } catch {
    return false;
  }
}

/** Two files that are written at once may have the same time, and a clock may go back. */
function makeNewest(store: Enclosure, className: string, file: string, others: readonly ComponentFile[]): void {
  const newest = Math.max(0, ...others.map(({ modifiedMs }) => modifiedMs));
  const written = filesOfClass(store, className).find(({ name }) => name === file);
  if (written === undefined || written.modifiedMs > newest) return;
  const time = new Date(newest + 1);
  lutimesSync(store.root.dir.at(file), time, time);
}
