import { isShellKey } from './dialect.ts';
import { meaningOf } from './extract/argument-keys.ts';
import { judgePath } from './judge-path.ts';
import type { PathRules } from './protect.ts';
import type { Place } from './spot.ts';
import { wordsOf } from './words.ts';

/** Arguments that are known not to be a directory: they are the command, text, or judged as what they are. */
const OTHER_MEANINGS = /^(?:command|commands|arguments|base|body|content|patch|url)$/;
const ENVIRONMENT = /^(?:env|envs|environment|environmentvariables|envvars)$/;
const MAX_DEPTH = 8;
const MAX_LENGTH = 4_096;

/**
 * The directories outside in which a shell tool may run its command, by an argument whose name the guard does not know:
 * a text that is a path as a whole, leads outside, and is not an existing file.
 *
 * @param commands the texts that are known to be commands
 */
export function directoriesOutside(
  args: unknown,
  commands: readonly unknown[],
  place: Place,
  protect: PathRules,
): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MAX_DEPTH) return;
    for (const [key, item] of Object.entries(value)) {
      const plain = wordsOf(key).join('');
      if (ENVIRONMENT.test(plain) || isShellKey(plain) || OTHER_MEANINGS.test(meaningOf(key))) continue;
      if (typeof item !== 'string') visit(item, depth + 1);
      else if (!commands.includes(item) && isDirectoryOutside(item.trim(), place, protect)) found.add(item.trim());
    }
  };
  visit(args, 0);
  return [...found];
}

function isDirectoryOutside(text: string, place: Place, protect: PathRules): boolean {
  if (text === '' || text.length > MAX_LENGTH || text.includes('\n')) return false;
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(text) && !/^file:/i.test(text)) return false;
  const { problem } = judgePath({ written: text, weight: 'guess', role: 'base' }, place, protect);
  if (problem?.rule !== 'outside-path' && problem?.rule !== 'unresolvable-path') return false;
  const path = place.home === undefined ? text : text.replace(/^~(?=$|[\\/])/, place.home);
  if (place.isDirectory?.(path) === true) return true;
  const isFile = place.kindOf !== undefined && place.kindOf(path) !== 'nothing';
  // A sentence can begin with a slash.
  return !isFile && text.split(/\s+/).length < 4;
}

/** The directory as the place from which a command is read: any directory outside if it is not a plain path. */
export function asCwd(directory: string, { home }: Place): string {
  const path = home === undefined ? directory : directory.replace(/^~(?=$|[\\/])/, home);
  return /^(?:[/\\]|[A-Za-z]:[\\/]|[\w.-]+(?:[/\\]|$))/.test(path) ? path : '/';
}
