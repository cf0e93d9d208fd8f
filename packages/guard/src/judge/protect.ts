import { plainText } from './words.ts';

/** Asks of a path below the root, or of one in the home directory, whether a list of globs means it. */
export interface PathRules {
  readonly isEmpty: boolean;
  /** The glob that means this path, if one does. */
  match(path: string): string | undefined;
  /** The glob that means something below this directory, if one does: what goes with it when it is moved or deleted. */
  below(path: string): string | undefined;
  /** The glob that means something a wildcard may stand for. `removes`: or something below that. */
  mayMean(pattern: string, removes: boolean): string | undefined;
  /** Repositories by their layout, where those of git are protected at all. */
  readonly repositories?: Repositories;
}

/** Directories that git takes for repositories by what lies in them. Each answer says why not, or nothing. */
export interface Repositories {
  /** Whether this path may not be written. */
  refuses(path: string): string | undefined;
  /** Whether files of names nobody knows may not appear in this directory. */
  refusesFilling(dir: string): string | undefined;
  /** Whether what is there may not be written, by whatever name a wildcard finds it. */
  refusesChanging(dir: string): string | undefined;
  /** Whether no repository may be made of this directory. */
  refusesMaking(dir: string): string | undefined;
}

interface Rule {
  readonly glob: string;
  readonly parts: readonly Part[];
}

/** One name of a glob: what fits it, and a name that does. */
interface NamePart {
  readonly test: RegExp;
  readonly sample: string;
  readonly isPlain: boolean;
}

type Part = NamePart | '**';
type Kind = 'whole' | 'way';
type Fits = (part: NamePart, name: string, own: number) => boolean;

/**
 * Rules from globs: `*` is any run of characters in a name, `?` any one, `**` any run of directories, and a name
 * without a slash is meant anywhere. A rule for a directory means all that is in it. Letters are compared as the most
 * careless file system does: without case, compatibility forms folded, invisible characters and trailing dots and
 * blanks gone.
 *
 * @param paths files that are meant besides, by their whole path and to the letter
 */
export function pathRules(globs: readonly string[], paths: readonly string[] = []): PathRules {
  const rules = globs.map((glob): Rule => {
    const bare = glob.replace(/^\.?\//, '').replace(/\/$/, '');
    const parts = (bare.includes('/') ? bare : `**/${bare}`).split('/');
    return {
      glob,
      parts: parts.map((part) =>
        part === '**'
          ? part
          : { test: nameTest(folded(part)), sample: folded(part).replace(/[*?]/g, 'x'), isPlain: !/[*?]/.test(part) },
      ),
    };
  });
  for (const glob of paths)
    rules.push({ glob, parts: namesOf(glob).map((sample) => ({ test: nameTest(sample), sample, isPlain: true })) });
  const whole = new IndexedRules(rules, 'whole');
  const way = new IndexedRules(rules, 'way');
  return {
    isEmpty: rules.length === 0,
    match: (path) => whole.first(namesOf(path)),
    // `**/x` may lie below any directory: only what the rest of the glob names is on the way to it.
    below: (path) => way.first(namesOf(path)),
    mayMean: (pattern, removes) => {
      const names = namesOf(pattern).filter((name) => !/^\*+$/.test(name) || name === '*');
      return rules.find(
        ({ parts }) =>
          // A name that stands anywhere is obeyed at the top; below, `*.json` is ordinary.
          !(
            parts.length === 2 &&
            parts[0] === '**' &&
            names.length > 1 &&
            !(parts[1] as NamePart).sample.startsWith('.')
          ) &&
          (fits(parts, names, 'whole', mayFit) || (removes && fits(parts, names, 'way', mayFit))),
      )?.glob;
    },
  };
}

/**
 * Finds the first rule that fits, asking only those of which a plain name stands in the path: no path fits a rule that
 * lacks one of its names, and a path on the way to a rule has at least its first.
 */
class IndexedRules {
  readonly #rules: readonly Rule[];
  readonly #kind: Kind;
  readonly #byName = new Map<string, number[]>();
  /** Rules with wildcards where a plain name would have to be. */
  readonly #others: number[] = [];

  constructor(rules: readonly Rule[], kind: Kind) {
    this.#rules = rules;
    this.#kind = kind;
    for (const [at, { parts }] of rules.entries()) {
      const own = parts.filter((part) => part !== '**');
      const key = kind === 'way' ? own[0] : own.findLast(({ isPlain }) => isPlain);
      if (!key?.isPlain) this.#others.push(at);
      else if (this.#byName.has(key.sample)) this.#byName.get(key.sample)?.push(at);
      else this.#byName.set(key.sample, [at]);
    }
  }

  /** The glob of the first rule, in the order they were given. */
  first(names: readonly string[]): string | undefined {
    // A short name of Windows stands for many.
    if (names.some((name) => name.includes('~')))
      return this.#rules.find(({ parts }) => fits(parts, names, this.#kind))?.glob;
    let found = this.#firstOf(this.#others, names, this.#rules.length);
    for (const name of names) {
      const rules = this.#byName.get(name);
      if (rules) found = this.#firstOf(rules, names, found);
    }
    return this.#rules[found]?.glob;
  }

  #firstOf(places: readonly number[], names: readonly string[], before: number): number {
    const found = places.find((at) => at < before && fits((this.#rules[at] as Rule).parts, names, this.#kind));
    return found ?? before;
  }
}

const isName: Fits = (part, name) =>
  (part.isPlain ? name === part.sample : part.test.test(name)) || isShortName(name, part.sample);

/** Whether a name with wildcards may become one the rule means. One without a letter says nothing by itself. */
const mayFit: Fits = (part, name, own) => {
  if (!/[*?[]/.test(name)) return isName(part, name, own);
  if (!/[\p{L}\p{N}]/u.test(name)) return own > 0 && (name.startsWith('.') || !part.sample.startsWith('.'));
  if (part.sample.startsWith('.') && !name.startsWith('.')) return false;
  return nameTest(name.replace(/\[[^\]]*\]/g, '?')).test(part.sample);
};

/** `GIT~1`: the short name that Windows makes of `.git`; `GI1A2B~1` where there are many. */
function isShortName(name: string, long: string): boolean {
  if (!name.includes('~')) return false;
  const match = /^([^.~]{1,6})~\d+(?:\.([^.]{0,3}))?$/.exec(name);
  if (match === null) return false;
  const [, head = '', end = ''] = match;
  const bare = long.replace(/^\.+/, '');
  const dot = bare.lastIndexOf('.');
  const stem = (dot === -1 ? bare : bare.slice(0, dot)).replace(/[ .]/g, '');
  if ((dot === -1 ? '' : bare.slice(dot + 1, dot + 4)) !== end) return false;
  return stem.slice(0, 6) === head || (/^.{1,2}[0-9a-f]{4}$/.test(head) && stem.startsWith(head.slice(0, -4)));
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

/** A name in the form in which names are compared. */
export function folded(name: string): string {
  // Most names are plain: nothing of what follows would change them.
  if (/^[\w.-]*[a-z0-9_-]$/.test(name) && !/[A-Z]/.test(name)) return name;
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
function fits(rule: readonly Part[], names: readonly string[], kind: Kind, means: Fits = isName): boolean {
  const step = (r: number, n: number, own: number): boolean => {
    if (r === rule.length) return kind === 'whole';
    if (n === names.length) {
      if (kind === 'way') return own > 0;
      // `.git/hooks/**` means the directory itself as well.
      return rule.slice(r).every((part) => part === '**');
    }
    const part = rule[r] as Part;
    if (part === '**') return step(r + 1, n, own) || step(r, n + 1, own);
    return means(part, names[n] as string, own) && step(r + 1, n + 1, own + 1);
  };
  return step(0, 0, 0);
}
