import { enterDirectory } from '../enter-directory.ts';
import type { Call, Handler } from '../call.ts';
import { ANY, ATOM, type Field, field, GLOB, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { listedName, namesBelow, takesLinks } from './names.ts';

/** `find`, `fd` and `xargs`: they run other commands on the names they find. */
export const FIND_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['find', find],
  ['gfind', find],
  ['fd', runFd],
  ['fdfind', runFd],
  ['xargs', runXargs],
  ['gxargs', runXargs],
]);

function find({ args, state, reader }: Call): readonly string[] | undefined {
  let at = 0;
  while (args[at] !== undefined && /^-(?:[HLP]|D|O\d?)$/.test(args[at]?.value ?? '')) at += 1;
  const starts: Field[] = [];
  while (args[at] !== undefined && !/^[-(!)]/.test(args[at]?.value ?? '-')) starts.push(args[at++] as Field);
  const isListed = args.some((arg) => arg.value === '-files0-from');
  if (starts.length === 0 && !isListed) starts.push(field('.'));
  if (isListed && args.some((arg) => /^-(?:delete|exec|ok|fls|fprint)/.test(arg.value)))
    reader.undecidable('find reads its start directories from a file.');
  for (const start of starts) reader.read(state, start);
  const finds = narrows(args);
  const places = starts.flatMap((start): [Field, Field][] => [
    [start, below(start, finds)],
    ...wantedNames(args).map((name): [Field, Field] => [
      start,
      withValue(start, `${start.value.replace(/\/+$/, '')}/${name}`),
    ]),
  ]);
  const found = places.map(([, one]) => one);
  for (; at < args.length; at += 1) {
    const { value } = args[at] as Field;
    const next = args[at + 1];
    if (value === '-delete') {
      for (const one of found) reader.write(state, one);
      // The command removes the start directory with everything in it.
      if (finds === 'all' && !isLinksOnly(args)) for (const start of starts) reader.write(state, start, 'takes');
    }
    if (/^-(?:fprint0?|fprintf|fls)$/.test(value) && next !== undefined) reader.write(state, next);
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(value)) {
      const words: Field[] = [];
      for (at += 1; at < args.length; at += 1) {
        const word = args[at] as Field;
        if (word.value === ';' || (word.value === '+' && words.at(-1)?.value === '{}')) break;
        words.push(word);
      }
      runOnEach(words, places, value.endsWith('dir'), state, reader);
    } else if (value.startsWith(ANY)) reader.undecidable("It is not known what 'find' does.");
  }
  if (finds === 'anything' || args.some((arg) => /^-(?:printf|exec|ls|fprint)/.test(arg.value))) return [ANY];
  return found.map((one) => (/(?:\uE002\*{1,2}|\uE001)$/.test(one.value) ? `${one.value}${ANY}` : one.value));
}

/** The names that `find` searches for: one of them may be protected at any depth. */
function wantedNames(args: readonly Field[]): string[] {
  const names = args.flatMap((arg, index) => (/^-i?name$/.test(args[index - 1]?.value ?? '') ? [arg.value] : []));
  return names
    .filter((name) => /[\p{L}\p{N}]/u.test(name) && !/[\s/\uE000-\uE001]/.test(name))
    .map((name) => name.replaceAll(GLOB, '').replace(/[*?[]/g, `${GLOB}$&`));
}

/**
 * What `find` returns: everything, some entries of any name, some that are certainly not links, or also what links lead
 * to.
 */
type Finds = 'all' | 'some' | 'no links' | 'anything';

function narrows(args: readonly Field[]): Finds {
  const values = args.map((arg) => arg.value);
  const isSome = values.some((value) =>
    /^-(?:i?name|i?path|i?wholename|i?regex|[amc](?:time|min)|newer\w*|size|empty|perm|user|links)$/.test(value),
  );
  if (values.some((value) => value === '-L' || value === '-follow')) return 'anything';
  if (!isSome) return 'all';
  const isTyped = values.some((value, index) => value === '-type' && /^[fd]$/.test(values[index + 1] ?? ''));
  const removes = args.some(
    ({ value }, index) => value === '-delete' || (value.startsWith('-exec') && takesLinks(args.slice(index + 1))),
  );
  return isTyped || removes ? 'no links' : 'some';
}

function isLinksOnly(args: readonly Field[]): boolean {
  return args.some(({ value }, index) => /^-x?type$/.test(args[index - 1]?.value ?? '') && !/[fd]/.test(value));
}

/** A name below a start directory, at any depth. */
function below(start: Field, finds: Finds): Field {
  const base = start.value.replace(/\/+$/, '');
  if (finds === 'anything') return withValue(start, `${base}/${ANY}`);
  return withValue(start, `${base}/${finds === 'all' ? `${GLOB}*` : finds === 'some' ? `${GLOB}**` : ATOM}`);
}

function runOnEach(
  words: readonly Field[],
  places: readonly (readonly [start: Field, found: Field])[],
  inDirectory: boolean,
  state: Call['state'],
  reader: Call['reader'],
): void {
  for (const [start, one] of places) {
    const own = state.copy();
    const inPlace = inDirectory ? withValue(start, `./${GLOB}*`) : one;
    if (inDirectory)
      own.cwds = own.cwds.map((cwd) =>
        start.value.startsWith('/') || cwd === '' ? start.value.replace(/^\.\/?/, '') : `${cwd}/${start.value}`,
      );
    if (words.slice(0, 1).some((word) => word.value.includes('{}')))
      reader.undecidable('Every file that is found is run.');
    reader.runWords(
      words.map((word) => withValue(word, word.value.replaceAll('{}', inPlace.value))),
      own,
      undefined,
    );
  }
}

const FD_VALUES =
  '-e -t -d -E -g -S -o -j -c --type --extension --max-depth --min-depth --exact-depth --exclude --base-directory --search-path --size --changed-within --changed-before --owner --threads --color --format --path-separator --ignore-file --max-results';

function runFd({ args, state, reader }: Call): readonly string[] | undefined {
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg.value));
  const glued = args.some((arg) => /^(?:-[a-wyzA-WYZ]*[xX].|--exec(?:-batch)?=)/.test(arg.value));
  const before = at === -1 ? args : args.slice(0, at);
  const { operands, values, has, isOpen } = parseOptions(before, { values: FD_VALUES });
  const starts = [...operands.slice(1), ...values('--search-path')];
  if (starts.length === 0) starts.push(field('.'));
  const words = at === -1 ? [] : args.slice(at + 1).filter((arg) => arg.value !== ';');
  const follows = has('-L', '--follow');
  const isTyped = values('-t', '--type').some((one) => /^(?:f|file)$/.test(one.value));
  if (glued) reader.undecidable('fd runs a command on each file.');
  if (at === -1) {
    if (follows || isOpen || has('--format', '--path-separator') || starts.length > 4) return undefined;
    return starts.map((start) => namesBelow(start.value, !isTyped));
  }
  const own = state.copy();
  for (const { value } of values('--base-directory'))
    own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, value));
  for (const start of starts) {
    const base = start.value.replace(/\/+$/, '');
    const name = follows ? `${base}/${ANY}` : isTyped || takesLinks(words) ? `${base}/${ATOM}` : `${base}/${GLOB}*`;
    const isPlaced = words.some((word) => /\{[./]*\}/.test(word.value));
    const filled = words.map((word) => withValue(word, word.value.replace(/\{[./]*\}/g, name)));
    reader.runWords(isPlaced ? filled : [...filled, withValue(start, name)], own.copy(), undefined);
  }
  return undefined;
}

function runXargs({ args, state, input, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values:
      '-a -d -E -I -L -n -P -s -J -R --arg-file --delimiter --replace --max-args --max-procs --max-lines --max-chars --eof',
    stopsAtOperand: true,
  });
  if (operands.length === 0) return;
  const isZero = has('-0', '--null');
  for (const file of values('-a', '--arg-file')) reader.read(state, file);
  const texts = values('-a', '--arg-file').length > 0 ? [ANY] : (input ?? [ANY]);
  for (const text of texts) {
    const removes = takesLinks(operands);
    const removesAll = /^g?(?:rm|unlink)$/.test(operands[0]?.value ?? '') && !isZero;
    const items = itemsOf(text, isZero || values('-d', '--delimiter').length > 0 || has('-I'), removesAll).map(
      (item) =>
        // `rm` removes a link and does not follow it.
        removes ? item.replace(/\uE002\*\*$/, ATOM) : item,
    );
    const replaced = values('-I', '--replace', '-J')[0]?.value;
    const fields = items.map((value) => field(value, value.includes(ANY) ? 'what is piped in' : value));
    if (replaced === undefined || replaced === '') reader.runWords([...operands, ...fields], state.copy(), undefined);
    else {
      for (const item of fields) {
        const words = operands.map((word) => withValue(word, word.value.replaceAll(replaced, item.value)));
        reader.runWords(words, state.copy(), undefined);
      }
    }
  }
}

function itemsOf(text: string, isExact: boolean, removes: boolean): string[] {
  // `find .`: names below the start. xargs would split a name with a blank before a slash into two words, the second
  // absolute; no judged call creates such a name.
  const name = listedName(text);
  // All entries, or all that git knows, are removed: the list is no longer harmless.
  const isAll = !isExact && /(?:^|[^*])\uE002\*$/.test(name ?? '');
  if (name !== undefined) return [isAll || (removes && name.startsWith('././')) ? ANY : name];
  if (text.includes(ANY)) return [`${ANY}`];
  const pieces = isExact ? text.split(/[\n\0]/) : text.split(/[\s\0]+/);
  return pieces
    .filter((piece) => piece !== '')
    .map((piece) => (isExact ? piece : piece.replace(/^(['"])([^]*)\1$/, '$2').replaceAll('\\', '')));
}
