import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as json from './client-config.ts';
import { type EntryPlace, RefusedConfig } from './client-config.ts';
import type { JsonObject } from './edit-json.ts';
import type { ConfigFormat } from './client-facts.ts';
import type { ClientId, ClientPlace } from './clients.ts';
import type { HookClientId } from './hook-clients.ts';
import { BACKUP_MARK, type FoundFile, readFound, UnusableFile } from './replace-file.ts';
import * as toml from './toml-config.ts';
import * as yaml from './yaml-config.ts';

/** The client or agent whose file is changed, and the file. */
export interface PlannedPlace {
  readonly id: ClientId | HookClientId;
  readonly title: string;
  readonly file: string;
}

/** The planned change of one client's configuration. */
export type Plan =
  | {
      readonly kind: 'write';
      readonly place: PlannedPlace;
      readonly found: FoundFile;
      readonly before: string;
      /** `undefined` deletes the file. */
      readonly after: string | undefined;
    }
  | { readonly kind: 'nothing'; readonly place: PlannedPlace }
  | { readonly kind: 'refused'; readonly place: PlannedPlace; readonly problem: string };

/** Changes entries in the text of a configuration. */
interface ConfigEditor {
  withEntry(text: string, place: EntryPlace, entry: JsonObject): string;
  withoutEntry(text: string, place: EntryPlace, dropContainer: boolean): string;
  /** Whether the object of the servers is there; `undefined` if the text cannot be read. */
  hasContainer(text: string, container: string): boolean | undefined;
}

const EDITORS: Readonly<Record<ConfigFormat, ConfigEditor>> = { json, toml, yaml };

/** Computes the new text of a client's configuration. Writes nothing. Without `entry`, removes Croft's entry. */
export function planChange(place: ClientPlace, name: string, entry: JsonObject | undefined): Plan {
  const editor = EDITORS[place.format];
  const where: EntryPlace = { container: place.container, name };
  try {
    const found = readFound(place.file);
    if (found.text === undefined && entry === undefined) return { kind: 'nothing', place };
    const before = found.text ?? '';
    const after =
      entry === undefined
        ? editor.withoutEntry(before, where, cameWithUs(found.path, place.container, editor))
        : editor.withEntry(before, where, entry);
    return after === before ? { kind: 'nothing', place } : { kind: 'write', place, found, before, after };
  } catch (error) {
    if (error instanceof RefusedConfig || error instanceof UnusableFile)
      return { kind: 'refused', place, problem: error.message };
    throw error;
  }
}

/** Whether croft setup added the object of the servers. Decided by the oldest backup. */
function cameWithUs(file: string, container: string, { hasContainer }: ConfigEditor): boolean {
  try {
    const oldest = readdirSync(dirname(file))
      .filter((name) => name.startsWith(basename(file) + BACKUP_MARK))
      .sort()[0];
    return oldest !== undefined && hasContainer(readFileSync(join(dirname(file), oldest), 'utf8'), container) === false;
  } catch {
    return false;
  }
}
