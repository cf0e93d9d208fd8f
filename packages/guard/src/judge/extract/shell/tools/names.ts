import type { Call } from '../call.ts';
import { ANY, ATOM, type Field, GLOB } from '../marks.ts';
import { parseOptions } from '../options.ts';

/**
 * The output of a tool that lists files is the text of one name below a start directory, followed by `ANY`: any number
 * of lines with such names. `GLOB` and two stars: the name may be a link; `ATOM`: it is not a link.
 */
const LISTED = /^([^\uE000\n]*\/(?:\uE002\*{1,2}|\uE001))\uE000$/;

/** @returns the name that a text contains any number of times; undefined for other texts. */
export function listedName(text: string): string | undefined {
  return LISTED.exec(text)?.[1];
}

/** Names below a start directory, in the form that `listedName` reads. */
export function namesBelow(start: string, areLinks: boolean): string {
  return `${start.replace(/\/+$/, '')}/${areLinks ? `${GLOB}**` : ATOM}${ANY}`;
}

/** Whether a command acts on a link itself: it removes the link, or replaces it with a file. */
export function takesLinks(words: readonly Field[]): boolean {
  const [first, ...rest] = words.map((word) => word.value);
  const name = (first ?? '').replace(/^.*\//, '');
  if (/^(?:g?rm|g?unlink|trash|rimraf)$/.test(name)) return true;
  if (/^g?sed$/.test(name)) return !rest.some((word) => /^--?f(?:$|o)|^-\w*[wW]/.test(word));
  return name === 'perl' || (name === 'git' && /^(?:add|rm|restore|checkout)$/.test(rest[0] ?? ''));
}

const LISTS: Readonly<Record<string, readonly [is: RegExp, values: string]>> = {
  grep: [
    /^(?:-l|-L|--files-with(?:out)?-match(?:es)?)$/,
    '-e -f -m -A -B -C --include --exclude --exclude-dir --color',
  ],
  rg: [
    /^(?:-l|--files|--files-with(?:out)?-match(?:es)?)$/,
    '-e -f -g -t -T -m -A -B -C -r -j --glob --iglob --type --type-not --max-count --max-depth --sort -d',
  ],
  ag: [/^(?:-l|-L|-g|--files-with(?:out)?-matches)$/, '-G -A -B -C -m --ignore --depth'],
};
/** Options that follow links, or print the names in another form. */
const CHANGES =
  /^(?:-R|--dereference-recursive|--label|-f|--follow|--path-separator|--hyperlink-format|--format|--replace)$/;

/** The output of a tool that lists files; undefined if it prints something else. */
export function listedNames(call: Call): readonly string[] | undefined {
  const { name, args, input, state } = call;
  const base = /^(?:[ef]|z)?grep$/.test(name) ? 'grep' : name;
  // A filter passes complete lines.
  if (isFilter(base, args))
    return input?.every((text) => listedName(text) !== undefined || !/[\s\uE000]/.test(text)) === true
      ? input
      : undefined;
  if (base === 'ls') return listedByLs(args);
  const known = LISTS[base];
  if (known === undefined) return undefined;
  const { options, operands, isOpen, has } = parseOptions(args, { values: known[1] });
  const names = options.map((option) => option.name);
  if (isOpen || !names.some((one) => known[0].test(one))) return undefined;
  if (names.some((one) => CHANGES.test(one)) || (base !== 'grep' && names.includes('-L'))) return undefined;
  const hasPattern = !(has('-e', '--regexp') || names.includes('--files'));
  const starts = operands.slice(hasPattern ? 1 : 0);
  const isDeep = base !== 'grep' || has('-r', '--recursive');
  if (starts.length > 4 || starts.some(({ value }) => /[\s\uE000]/.test(value))) return undefined;
  if (starts.length === 0)
    return isDeep && state.cwds.every((cwd) => !cwd.includes(ANY)) ? [namesBelow('.', false)] : undefined;
  return starts.flatMap(({ value }) => (isDeep ? [value, namesBelow(value, false)] : [value]));
}

/**
 * `ls build/*.js`: prints the names that its wildcards match. The entries of a directory are listed without its path.
 */
function listedByLs(args: readonly Field[]): readonly string[] | undefined {
  const { options, operands, isOpen } = parseOptions(args, { values: '-I --ignore --sort --time' });
  const isPlain = options.every(({ name }) => /^-[1trSUXvcudf]$|^--(?:sort|time|reverse)$/.test(name));
  const areNames = operands.every(({ value }) => value.includes(GLOB) && !/[\s\uE000]/.test(value));
  if (isOpen || !isPlain || !areNames || operands.length === 0 || operands.length > 4) return undefined;
  // `ls` lists the names inside a directory operand.
  const isDirect = options.some(({ name }) => name === '-d') || operands.every(({ value }) => /\.\w+$/.test(value));
  return isDirect ? operands.map(({ value }) => value) : undefined;
}

/** Whether a command passes on the lines it reads, each unchanged. */
function isFilter(name: string, args: readonly Field[]): boolean {
  const words = args.map((arg) => arg.value);
  if (name === 'grep') {
    const { options, operands, has } = parseOptions(args, { values: '-e' });
    return (
      operands.length === (has('-e') ? 0 : 1) &&
      options.every((option) => /^-[viEFPwxez]$|^--(?:invert-match|ignore-case)$/.test(option.name))
    );
  }
  if (name === 'sort') return words.every((word) => /^-[ruVnfz]+$/.test(word));
  if (name === 'uniq') return words.length === 0;
  return (
    /^(?:head|tail)$/.test(name) && words.every((word) => /^(?:-n|[-+]?\d+|-n[-+]?\d+|--lines=[-+]?\d+)$/.test(word))
  );
}

const GIT_OPTIONS: Readonly<Record<string, RegExp>> = {
  'ls-files':
    /^(?:-[zcomdk]|-x|--(?:cached|others|modified|deleted|exclude-standard|exclude|full-name|error-unmatch|recurse-submodules|deduplicate|directory))$/,
  diff: /^(?:-z|--(?:name-only|cached|staged|diff-filter|relative|merge-base))$/,
  grep: /^(?:-[lLiwFEPezInrHhavG]|--(?:name-only|files-with-matches|files-without-match|untracked|cached|ignore-case|null))$/,
};

/** The names in the current work tree that git lists; undefined if names may lead elsewhere. */
export function listedByGit(verb: string, args: readonly Field[]): readonly string[] | undefined {
  const known = GIT_OPTIONS[verb];
  if (known === undefined) return undefined;
  const { options, operands, isOpen, has } = parseOptions(args, { values: '-x --exclude --diff-filter -e' });
  if (isOpen || options.some((option) => !known.test(option.written))) return undefined;
  if (verb === 'diff' && !has('--name-only')) return undefined;
  if (verb === 'grep' && !has('-l', '-L', '--name-only', '--files-with-matches', '--files-without-match'))
    return undefined;
  const paths = operands.slice(verb === 'grep' && !has('-e') ? 1 : 0).map((operand) => operand.value);
  if (
    paths.some((path) => path.length > 300 || /^[/~\uE003]|(?:^|\/)\.\.(?:\/|$)/.test(path) || /[\s\uE000]/.test(path))
  )
    return undefined;
  // Paths in its own arguments may be protected.
  const named =
    verb === 'ls-files' ? paths.slice(0, 4).map((path) => path.replace(/[*?[](?<!\uE002.)/g, `${GLOB}$&`)) : [];
  return paths.length > 4
    ? undefined
    : [namesBelow(paths.length === 0 && verb === 'ls-files' ? './.' : '.', true), ...named];
}
