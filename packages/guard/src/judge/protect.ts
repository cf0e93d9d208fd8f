import { wildcardTest } from './wildcard.ts';
import { plainText } from './words.ts';

/** Finds the glob of a list that matches a path below the root or in the home directory. */
export interface PathRules {
  readonly isEmpty: boolean;
  /** The glob that matches this path, if any. */
  match(path: string): string | undefined;
  /** The glob that matches something below this directory, if any: moving or deleting the directory affects it. */
  below(path: string): string | undefined;
  /** The glob that matches something a wildcard may expand to. With `removes`: or something below that. */
  mayMean(pattern: string, removes: boolean): string | undefined;
  /** Repositories by their layout, if git's own files are protected. */
  readonly repositories?: Repositories;
}

/**
 * Directories that git treats as repositories because of their entries. Each method returns the reason for a refusal,
 * or undefined.
 */
export interface Repositories {
  /** Why this path may not be written. */
  refuses(path: string): string | undefined;
  /** Why files with unknown names may not be added to this directory. */
  refusesFilling(dir: string): string | undefined;
  /** Why existing entries of this directory may not be written through a wildcard. */
  refusesChanging(dir: string): string | undefined;
  /** Why this directory may not become a repository. */
  refusesMaking(dir: string): string | undefined;
}

interface Rule {
  readonly glob: string;
  readonly parts: readonly Part[];
}

/** One component of a glob: its pattern, and an example that matches. */
interface NamePart {
  readonly test: (name: string) => boolean;
  readonly sample: string;
  readonly isPlain: boolean;
}

type Part = NamePart | '**';
type Kind = 'whole' | 'way';
type Fits = (part: NamePart, name: string, own: number) => boolean;

/**
 * Compiles globs: `*` matches any run of characters in a name, `?` any one, `**` any run of directories, and a name
 * without a slash matches at any depth. A rule for a directory covers everything in it. Names are compared as the most
 * permissive file system does: case-insensitive, with compatibility forms folded, and without invisible characters and
 * trailing dots and blanks.
 *
 * @param paths further files, matched by their exact whole path
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
          : {
              test: wildcardTest(folded(part)),
              sample: folded(part).replace(/[*?]/g, 'x'),
              isPlain: !/[*?]/.test(part),
            },
      ),
    };
  });
  for (const glob of paths)
    rules.push({ glob, parts: namesOf(glob).map((sample) => ({ test: wildcardTest(sample), sample, isPlain: true })) });
  const whole = new IndexedRules(rules, 'whole');
  const way = new IndexedRules(rules, 'way');
  return {
    isEmpty: rules.length === 0,
    match: (path) => whole.first(namesOf(path)),
    // `**/x` matches below any directory, so only the named components of a glob count as on the way to it.
    below: (path) => way.first(namesOf(path)),
    mayMean: (pattern, removes) => {
      const names = namesOf(pattern).filter((name) => !/^\*+$/.test(name) || name === '*');
      return rules.find(
        ({ parts }) =>
          // A name that matches at any depth is obeyed at the top; further down, `*.json` is ordinary.
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
 * Finds the first matching rule. Tests only rules that share a literal name with the path: a path cannot match a rule
 * if it lacks one of its literal names, and a path on the way to a rule has at least the first.
 */
class IndexedRules {
  readonly #rules: readonly Rule[];
  readonly #kind: Kind;
  readonly #byName = new Map<string, number[]>();
  /** Rules that have only wildcards where a literal name would be. */
  readonly #others: number[] = [];

  constructor(rules: readonly Rule[], kind: Kind) {
    this.#rules = rules;
    this.#kind = kind;
    for (const [at, { parts }] of rules.entries()) {
      const own = parts.filter((part) => part !== '**');
      // The first name: every judged path is also tested with the name of a file of git's at its end.
      const key = kind === 'way' ? own[0] : own.find(({ isPlain }) => isPlain);
      if (!key?.isPlain) this.#others.push(at);
      else if (this.#byName.has(key.sample)) this.#byName.get(key.sample)?.push(at);
      else this.#byName.set(key.sample, [at]);
    }
  }

  /** The glob of the first matching rule, in the given order. */
  first(names: readonly string[]): string | undefined {
    // A Windows short name may represent many names, so test every rule.
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
  (part.isPlain ? name === part.sample : part.test(name)) || isShortName(name, part.sample);

const MAX_PATTERN = 1_000;

/**
 * Whether a name with wildcards may expand to a name that the rule matches. A pattern without a letter or digit is not
 * specific enough.
 */
const mayFit: Fits = (part, name, own) => {
  if (!['*', '?', '['].some((each) => name.includes(each))) return isName(part, name, own);
  // No file has a longer name, and a longer pattern may mean any.
  if (name.length > MAX_PATTERN) return true;
  if (!/[\p{L}\p{N}]/u.test(name)) return own > 0 && (name.startsWith('.') || !part.sample.startsWith('.'));
  if (part.sample.startsWith('.') && !name.startsWith('.')) return false;
  return wildcardTest(name.replace(/\[[^\]]*\]/g, '?'))(part.sample);
};

/** `GIT~1` is the short name that Windows creates for `.git`; `GI1A2B~1` if there are many. */
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

function namesOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .map(folded);
}

/** A name in the form used for comparison. */
export function folded(name: string): string {
  // Fast path: most names are already in that form.
  if (/^[\w.-]*[a-z0-9_-]$/.test(name) && !/[A-Z]/.test(name)) return name;
  const bare = plainText(name)
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(/(?<![. ])[. ]+$/, '');
  // Writing an alternate data stream of Windows writes the same file: `x::$DATA` is `x`.
  return bare.replace(/:.*$/s, '') || name;
}

/**
 * `whole`: the rule matches these names or a directory above them. `way`: the names lead to something the rule matches,
 * and include at least one of its own components.
 */
function fits(rule: readonly Part[], names: readonly string[], kind: Kind, means: Fits = isName): boolean {
  // The places left to try, three numbers each. No recursion: an agent may name more components than calls fit on the stack.
  const open: number[] = [];
  // Several `**` can be reached in many ways: no place is tried twice.
  let tried: Set<number> | undefined;
  let [r, n, own] = [0, 0, 0];
  for (;;) {
    const part = rule[r];
    if (part === undefined) {
      if (kind === 'whole') return true;
    } else if (n === names.length) {
      // `.git/hooks/**` matches the directory itself as well.
      if (kind === 'way' ? own > 0 : rule.slice(r).every((one) => one === '**')) return true;
    } else if (part === '**') {
      const place = ((own > 0 ? rule.length : 0) + r) * names.length + n;
      if (tried?.has(place) !== true) {
        if (r > 0) (tried ??= new Set()).add(place);
        open.push(r, n + 1, own);
        r += 1;
        continue;
      }
    } else if (means(part, names[n] as string, own)) {
      [r, n, own] = [r + 1, n + 1, own + 1];
      continue;
    }
    if (open.length === 0) return false;
    [own, n, r] = [open.pop() as number, open.pop() as number, open.pop() as number];
  }
}
