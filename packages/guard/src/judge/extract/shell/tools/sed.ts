import type { Call } from '../call.ts';
import { ANY, ATOM, type Field, field, withValue } from '../marks.ts';
import { parseOptions, understand } from '../options.ts';

/** `sed`: its operands with `-i`, and the `w`, `s///w` and `e` of its scripts. */
export function runSed({ args, state, reader }: Call): undefined {
  // BSD syntax is `-i '' script`: an empty word after `-i` is the suffix.
  const plain = args.filter((arg, index) => !(arg.value === '' && args[index - 1]?.value === '-i'));
  const { options, operands, values, has, isOpen } = parseOptions(plain, {
    values: '-e -f -l --expression --file --line-length',
  });
  const scripts = values('-e', '--expression');
  const rest = [...operands];
  if (scripts.length === 0 && values('-f', '--file').length === 0) {
    const script = rest.shift();
    if (script !== undefined) scripts.push(script);
    understand(...scripts);
  }
  for (const file of values('-f', '--file')) reader.read(state, file);
  for (const script of scripts)
    readScript(
      script,
      (path) => reader.write(state, path),
      (path) => reader.read(state, path),
      reader,
      state,
    );
  // `-n -i`, `-ni`, `-i.bak`: an `i` after another letter may begin the option's suffix.
  const isInPlace = has('-i', '-I', '--in-place') || options.some(({ name }) => name.startsWith('--in-place'));
  for (const { value, written } of plain) {
    // A suffix with a slash is a path for the backups.
    const suffix = /^(?:-[nErszu]*i|--in-p\w*(?:-\w+)?=)([^]*\/[^]*)$/.exec(value)?.[1];
    if (suffix !== undefined) reader.write(state, field(suffix.replaceAll('*', 'x'), written));
  }
  const follows = has('--follow-symlinks');
  if (isOpen) reader.undecidable("It is not known what 'sed' is given.");
  for (const file of rest) {
    // sed replaces a link with a file, unless an option says to follow it.
    if (isInPlace) reader.write(state, follows ? file : withValue(file, file.value.replace(/\uE002\*\*$/, ATOM)));
    else reader.read(state, file);
  }
}

function readScript(
  script: Field,
  write: (path: Field) => void,
  read: (path: Field) => void,
  reader: Call['reader'],
  state: Call['state'],
): void {
  const text = script.value;
  let at = 0;
  const lineEnd = (): number => (text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at));
  const name = (): Field => {
    const end = lineEnd();
    const found = text.slice(at, end).trim();
    at = end;
    return field(found, found);
  };
  // sed rejects a script with an open bracket; then the brackets behind that one need no search for their ends.
  let areClosed = true;
  const delimited = (delimiter: string, isPattern: boolean): void => {
    for (; at < text.length && text[at] !== delimiter; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '[' && isPattern && areClosed) {
        const end = endOfBrackets(text, at);
        if (end === undefined) areClosed = false;
        else at = end;
      }
    }
    at += 1;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    at += 1;
    if (/[\s;{}!,0-9$+~#]/.test(char)) {
      if (char === '#') at = lineEnd();
    } else if (char === '/' || char === '\\') {
      const delimiter = char === '/' ? '/' : (text[at++] ?? '');
      delimited(delimiter, true);
      while (/[IM]/.test(text[at] ?? '')) at += 1;
    } else if (char === 's' || char === 'y') {
      const delimiter = text[at++] ?? '';
      delimited(delimiter, char === 's');
      delimited(delimiter, false);
      while (char === 's' && /[gpiImMe\d]/.test(text[at] ?? '')) {
        if (text[at] === 'e') reader.undecidable('A sed script runs what it makes.');
        at += 1;
      }
      if (char === 's' && text[at] === 'w') {
        at += 1;
        write(name());
      }
    } else if (char === 'w' || char === 'W') write(name());
    else if (char === 'r' || char === 'R') read(name());
    else if (char === 'e') {
      const command = name().value;
      if (command === '') reader.undecidable('A sed script runs its input.');
      else reader.runText([command], state.copy());
    } else if ('aic'.includes(char)) {
      do at = lineEnd() + 1;
      while (at < text.length && text.slice(0, at).endsWith('\\\n'));
    } else if (':btT'.includes(char)) {
      while (at < text.length && !/[;\n}]/.test(text[at] ?? '')) at += 1;
    } else if (char === ANY) return reader.undecidable('A sed script is not known.');
    else if (!'dDgGhHlnNpPqQxz=Fv'.includes(char)) {
      // Not a sed command: report a name that looks outside; sed itself rejects the rest.
      if (/[we]\s+[/~.]/.test(text.slice(at - 1))) reader.undecidable('A sed script could not be read.');
      return;
    }
  }
}

/**
 * The index of the `]` that closes a bracket expression, in which a delimiter (`s/[/]/x/`) is a character. A `]` at the
 * start is one too, and `[:alpha:]`, `[.x.]` and `[=x=]` have their own ends.
 */
function endOfBrackets(text: string, start: number): number | undefined {
  let at = start + (text[start + 1] === '^' ? 2 : 1);
  if (text[at] === ']') at += 1;
  for (; at < text.length; at += 1) {
    if (text[at] === ']') return at;
    const kind = text[at] === '[' ? (text[at + 1] ?? '') : '';
    if (!/^[:.=]$/.test(kind)) continue;
    const close = text.indexOf(`${kind}]`, at + 2);
    if (close === -1) return undefined;
    at = close + 1;
  }
  return undefined;
}
