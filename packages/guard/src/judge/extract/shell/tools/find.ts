import type { Call, Handler } from '../call.ts';
import { ANY, ATOM, type Field, field, GLOB, withValue } from '../marks.ts';
import { parseOptions } from '../options.ts';

/** `find`, `fd` and `xargs`: they run other commands on names they make. */
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
  if (starts.length === 0) starts.push(field('.'));
  for (const start of starts) reader.read(state, start);
  const found = starts.map((start) => below(start, narrows(args)));
  for (; at < args.length; at += 1) {
    const { value } = args[at] as Field;
    const next = args[at + 1];
    if (value === '-delete') for (const one of found) reader.write(state, one);
    else if (/^-(?:fprint0?|fprintf|fls)$/.test(value) && next !== undefined) reader.write(state, next);
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(value)) {
      const words: Field[] = [];
      for (at += 1; at < args.length; at += 1) {
        const word = args[at] as Field;
        if (word.value === ';' || (word.value === '+' && words.at(-1)?.value === '{}')) break;
        words.push(word);
      }
      runOnEach(words, starts, found, value.endsWith('dir'), state, reader);
    } else if (value.startsWith(ANY)) reader.undecidable("It is not known what 'find' does.");
  }
  return args.some((arg) => /^-(?:printf|exec|ls)/.test(arg.value)) ? [ANY] : found.map((one) => `${one.value}${ANY}`);
}

/** What `find` finds: everything, some of it by whatever name, or some that are surely no links. */
type Finds = 'all' | 'some' | 'no links';

function narrows(args: readonly Field[]): Finds {
  const values = args.map((arg) => arg.value);
  const isSome = values.some((value) =>
    /^-(?:i?name|i?path|i?wholename|i?regex|[amc](?:time|min)|newer\w*|size|empty|perm|user|links)$/.test(value),
  );
  if (!isSome) return 'all';
  const follows = values.some((value) => value === '-L' || value === '-follow');
  const isTyped = values.some((value, index) => value === '-type' && /^[fd]$/.test(values[index + 1] ?? ''));
  const removes = values.some(
    (value, index) =>
      value === '-delete' || (value.startsWith('-exec') && /^(?:\/bin\/)?rm$/.test(values[index + 1] ?? '')),
  );
  return !follows && (isTyped || removes) ? 'no links' : 'some';
}

/** A name below a start, whatever its depth. */
function below(start: Field, finds: Finds): Field {
  const base = start.value.replace(/\/+$/, '');
  return withValue(start, `${base}/${finds === 'all' ? `${GLOB}*` : finds === 'some' ? `${GLOB}**` : ATOM}`);
}

function runOnEach(
  words: readonly Field[],
  starts: readonly Field[],
  found: readonly Field[],
  inDirectory: boolean,
  state: Call['state'],
  reader: Call['reader'],
): void {
  for (const [index, one] of found.entries()) {
    const own = state.copy();
    const start = starts[index] as Field;
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

function runFd({ args, state, reader }: Call): undefined {
  const at = args.findIndex((arg) => /^(?:-x|-X|--exec|--exec-batch)$/.test(arg.value));
  if (at === -1) return;
  const { operands } = parseOptions(args.slice(0, at), {
    values: '-e -t -d -E -g --type --extension --max-depth --exclude --base-directory --search-path',
  });
  const start = operands[1] ?? field('.');
  const name = `${start.value.replace(/\/+$/, '')}/${GLOB}*`;
  const words = args.slice(at + 1).filter((arg) => arg.value !== ';');
  const isPlaced = words.some((word) => /\{[./]*\}/.test(word.value));
  const filled = words.map((word) => withValue(word, word.value.replace(/\{[./]*\}/g, name)));
  reader.runWords(isPlaced ? filled : [...filled, withValue(start, name)], state.copy(), undefined);
}

function runXargs({ args, state, input, reader }: Call): undefined {
  const { operands, values, has } = parseOptions(args, {
    values:
      '-a -d -E -I -L -n -P -s -J -R --arg-file --delimiter --replace --max-args --max-procs --max-lines --max-chars --eof',
    stopsAtOperand: true,
  });
  if (operands.length === 0) return;
  const isZero = has('-0', '--null');
  // A list of names with blanks between is not known to hold only names below the start.
  const texts = input ?? [ANY];
  for (const text of texts) {
    const removes = /^(?:rm|unlink)$/.test(operands[0]?.value ?? '');
    const items = itemsOf(text, isZero || values('-d', '--delimiter').length > 0 || has('-I')).map((item) =>
      // `rm` takes a link away and does not go through it.
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

function itemsOf(text: string, isExact: boolean): string[] {
  // `find . -print0`: names below the start, each one word.
  const names = /^([^\uE000\n]*\/(?:\uE002\*{1,2}|\uE001))\uE000$/.exec(text);
  if (names?.[1] !== undefined && isExact) return [names[1]];
  if (text.includes(ANY)) return [`${ANY}`];
  const pieces = isExact ? text.split(/[\n\0]/) : text.split(/[\s\0]+/);
  return pieces
    .filter((piece) => piece !== '')
    .slice(0, 64)
    .map((piece) => (isExact ? piece : piece.replace(/^(['"])([^]*)\1$/, '$2').replaceAll('\\', '')));
}
