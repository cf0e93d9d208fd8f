import { plainText } from './words.ts';

/** Asks of a path below the root, or of one in the home directory, whether a list of globs means it. */
export interface PathRules {
  readonly isEmpty: boolean;
  /** The glob that means this path, if one does. */
  match(path: string): string | undefined;
  /** The glob that means something below this directory, if one does: what goes with it when it is moved or deleted. */
  below(path: string): string | undefined;
}

interface Rule {
  readonly glob: string;
  readonly parts: readonly (RegExp | '**')[];
}

/**
 * Rules from globs: `*` is any run of characters in a name, `?` any one, `**` any run of directories, and a name
 * without a slash is meant anywhere. A rule for a directory means all that is in it. Letters are compared as the most
 * careless file system does: without case, compatibility forms folded, invisible characters and trailing dots and
 * blanks gone.
 */
export function pathRules(globs: readonly string[]): PathRules {
  const rules = globs.map((glob): Rule => {
    const bare = glob.replace(/^\.?\//, '').replace(/\/$/, '');
    const parts = (bare.includes('/') ? bare : `**/${bare}`).split('/');
    return { glob, parts: parts.map((part) => (part === '**' ? part : nameTest(folded(part)))) };
  });
  return {
    isEmpty: rules.length === 0,
    match: (path) => {
      const names = namesOf(path);
      return rules.find((rule) => fits(rule.parts, names, 'whole'))?.glob;
    },
    below: (path) => {
      const names = namesOf(path);
      // `**/x` may lie below any directory: only what the rest of the glob names is on the way to it.
      return rules.find((rule) => fits(rule.parts, names, 'way'))?.glob;
    },
  };
}

function nameTest(part: string): RegExp {
  const source = part
    .replace(/[.+^$()|[\]{}\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  return new RegExp(`^${source}$`, 'su');
}

function namesOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .map(folded);
}

function folded(name: string): string {
  const bare = plainText(name)
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(/[. ]+$/, '');
  // The second stream of a file is written into the same file's hooks: `x::$DATA` is `x`.
  return bare.replace(/:.*$/s, '') || name;
}

/**
 * `whole`: the names are what the rule means, or lie in it. `way`: the names end on the way to what the rule means,
 * after at least one of its own names.
 */
function fits(rule: readonly (RegExp | '**')[], names: readonly string[], kind: 'whole' | 'way'): boolean {
  const step = (r: number, n: number, own: number): boolean => {
    if (r === rule.length) return kind === 'whole';
    if (n === names.length) {
      if (kind === 'way') return own > 0;
      // `.git/hooks/**` means the directory itself as well.
      return rule.slice(r).every((part) => part === '**');
    }
    const part = rule[r] as RegExp | '**';
    if (part === '**') return step(r + 1, n, own) || step(r, n + 1, own);
    return part.test(names[n] as string) && step(r + 1, n + 1, own + 1);
  };
  return step(0, 0, 0);
}
