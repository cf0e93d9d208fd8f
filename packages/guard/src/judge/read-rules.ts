import { realpathSync } from 'node:fs';
import { isAbsolute, posix } from 'node:path';
import type { Place } from './spot.ts';
import { type PathRules, pathRules } from './protect.ts';
import { MAX_PATH, readingsOf } from './spellings.ts';

/** Globs that may not be read, below the root and below the home directory. */
export interface ReadRules {
  readonly isEmpty: boolean;
  readonly below: PathRules;
  readonly home: PathRules;
}

/** Sorts globs by the directory they start at. */
export function readRules(globs: readonly string[]): ReadRules {
  return {
    isEmpty: globs.length === 0,
    below: pathRules(globs.filter((glob) => !glob.startsWith('~/'))),
    home: pathRules(globs.filter((glob) => glob.startsWith('~/')).map((glob) => glob.slice(1))),
  };
}

/**
 * The reason why a path may not be read, or undefined. Checks every reading and the targets of links. A rule without a
 * directory (`.env`) applies everywhere, a rule below the home directory only there.
 */
export function deniedRead(rules: ReadRules, written: string, place: Place): string | undefined {
  if (rules.isEmpty || written.includes('\n') || written.length > MAX_PATH) return undefined;
  for (const { path } of readingsOf(written, { home: place.home, isWindows: place.isWindows })) {
    for (const form of formsOf(path, place)) {
      const inHome =
        place.home !== undefined && form.startsWith(`${place.home}/`) ? form.slice(place.home.length) : homePart(form);
      const glob = rules.below.match(form) ?? (inHome === undefined ? undefined : rules.home.match(inHome));
      if (glob !== undefined) return `Path '${written.slice(0, 200)}' may not be read (${glob})`;
    }
  }
  return undefined;
}

function formsOf(path: string, place: Place): string[] {
  const slashed = path.replace(/\\/g, '/');
  const root = place.roots.find((name) => slashed === name || slashed.startsWith(`${name}/`));
  const absolute = isAbsolute(slashed) ? posix.normalize(slashed) : posix.join(place.root ?? '/', slashed);
  const forms = [posix.normalize(slashed), absolute];
  if (root !== undefined) forms.push(slashed.slice(root.length + 1));
  if (place.home !== undefined) {
    try {
      const real = realpathSync.native(absolute);
      forms.push(real);
      const top = place.roots.find((name) => real.startsWith(`${name}/`));
      if (top !== undefined) forms.push(real.slice(top.length + 1));
    } catch {
      // Nothing exists at this path.
    }
  }
  return forms;
}

/** `~/x` if the home directory is not known. */
function homePart(path: string): string | undefined {
  return path.startsWith('~/') ? path.slice(1) : undefined;
}
