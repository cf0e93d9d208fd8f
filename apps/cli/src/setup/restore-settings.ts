import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readConfig } from './client-config.ts';
import type { HookFormat } from './hook-client.ts';
import { hookCommands, withHook, withoutHook } from './hook-config.ts';
import { BACKUP_MARK, readFound } from './replace-file.ts';
import { withoutVariable, withVariable } from './settings-variable.ts';

/** A variable that `croft setup guard` may have added to the settings. */
interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns the text of an agent's settings without Croft's hook and variable. If nothing else changed since they were added, this
 * is the text of the backup, to the byte. Returns `undefined` for a file that `croft setup guard` created and that holds nothing
 * else, which the caller deletes. Returns the same text if there is nothing to remove.
 *
 * @param file the real path, for its backups
 * @throws RefusedConfig as {@link withoutHook}
 */
export function restoredSettings(
  file: string,
  text: string,
  format: HookFormat,
  variable: Variable | undefined,
): string | undefined {
  const remove = (from: string) =>
    withoutHook(variable ? withoutVariable(from, variable.name, variable.value) : from, format);
  const minimal = remove(text);
  if (minimal === undefined || minimal === text) return minimal;
  const originals = textsOfBackups(file).filter((backup) => isWithoutOurs(backup, remove));
  const [command] = hookCommands(text, format);
  const gives = (original: string) => additionsTo(original, command, format, variable).includes(text);
  const unchanged = originals.find(gives);
  if (unchanged !== undefined) return unchanged;
  // Each change of an existing file makes a backup, so a file without an original did not exist.
  const isOurs = originals.length === 0;
  return isOurs && (gives('') || isEmptyObject(minimal)) ? undefined : minimal;
}

/** The texts that `croft setup guard` writes for an original, with and without the variable. */
function additionsTo(
  original: string,
  command: string | undefined,
  format: HookFormat,
  variable: Variable | undefined,
): readonly string[] {
  try {
    const text = command === undefined ? original : withHook(original, command, format);
    return variable ? [text, withVariable(text, variable.name, variable.value)] : [text];
  } catch {
    // Not a configuration any more, or with a hook of the user's own.
    return [];
  }
}

/** The texts of a file's backups, newest first. */
function textsOfBackups(file: string): string[] {
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(file) + BACKUP_MARK))
    .sort()
    .reverse()
    .flatMap((name) => {
      try {
        return readFound(join(dirname(file), name)).text ?? [];
      } catch {
        return [];
      }
    });
}

function isWithoutOurs(text: string, remove: (from: string) => string | undefined): boolean {
  try {
    return remove(text) === text;
  } catch {
    return false;
  }
}

/** Whether a text is `{}` with white space, and without comments. */
function isEmptyObject(text: string): boolean {
  return readConfig(text).body.replaceAll(/\s/g, '') === '{}';
}
