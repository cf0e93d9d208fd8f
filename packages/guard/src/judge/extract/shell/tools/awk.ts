import type { Call } from '../call.ts';
import { ANY, field, STANDARD_INPUT, withValue } from '../marks.ts';
import { parseOptions, understand } from '../options.ts';

/** `awk`: output redirections, pipes and `system` of its program, and `-i inplace`. */
export function runAwk({ args, state, input, reader }: Call): undefined {
  const { operands, values } = parseOptions(args, {
    values: '-F -v -f -i -e -E -l --field-separator --assign --file --include --source --exec --load',
  });
  // gawk writes facts about the program: `-d`, `-o` and `-p` take the file name without a blank.
  for (const file of values('--dump-variables', '--pretty-print', '--profile')) reader.write(state, file);
  for (const arg of args) {
    const glued = /^-[dop](.*[/~.\uE003].*)$/s.exec(arg.value)?.[1];
    if (glued !== undefined) reader.write(state, withValue(arg, glued));
  }
  const programs = values('-e', '--source');
  const rest = [...operands];
  if (programs.length === 0 && values('-f', '--file', '-E', '--exec').length === 0) {
    const first = rest.shift();
    if (first !== undefined) programs.push(first);
    understand(...programs);
  }
  if (values('-l', '--load').length > 0) reader.undecidable('awk loads another library.');
  const isInPlace = values('-i', '--include').some((one) => one.value.includes('inplace'));
  for (const file of rest) {
    if (/^[A-Za-z_]\w*=/.test(file.value)) continue;
    if (isInPlace) reader.write(state, file);
    else reader.read(state, file);
  }
  for (const program of programs) readProgram(program.value, state, reader);
  if (values('-f', '--file', '-E', '--exec').some((one) => one.value === '-' || STANDARD_INPUT.test(one.value)))
    for (const program of input ?? [ANY]) readProgram(program, state, reader);
}

function readProgram(source: string, state: Call['state'], reader: Call['reader']): void {
  const strings: string[] = [];
  // Strings become \u0001n\u0001, regular expressions \u0002; comments are removed.
  const text = source.replace(
    /"((?:[^"\\]|\\[^])*)"|#[^\n]*|(^|[(,~!&|{;\n]\s*)\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)+\])*)\//g,
    (match, quoted, before) => {
      if (quoted !== undefined) {
        strings.push(unescapeString(quoted as string));
        return `\u0001${strings.length - 1}\u0001`;
      }
      return match.startsWith('#') ? '' : `${(before as string | undefined) ?? ''}\u0002`;
    },
  );
  const known = (at: string): string | undefined => {
    const match = /^\s*\(?\s*\u0001(\d+)\u0001\s*\)?\s*(?:$|[;}\n])/.exec(at);
    return match === null ? undefined : strings[Number(match[1])];
  };
  if (text.includes(ANY)) {
    if (/\b(?:print|printf|system|getline|close)\b/.test(text) && />|\||system/.test(text))
      reader.undecidable('An awk program is not known.');
  }
  for (const statement of text.split(/[;{}\n]/)) {
    const printed = /\b(?:print|printf)\b(.*)$/s.exec(statement);
    const target = printed === null ? undefined : outer(printed[1] ?? '');
    if (target !== undefined) {
      const path = known(target.rest);
      if (target.operator === '|') runPiped(path, state, reader);
      else if (path === undefined) reader.undecidable('An awk program writes to a file whose name is not known.');
      else reader.write(state, field(path));
    }
    if (/\|\s*&?\s*getline\b/.test(statement)) {
      const command = /\u0001(\d+)\u0001\s*\|&?\s*getline/.exec(statement);
      runPiped(command === null ? undefined : strings[Number(command[1])], state, reader);
    }
  }
  for (const call of text.matchAll(/\bsystem\s*\(([^)]*)\)?/g)) runPiped(known(`${call[1] ?? ''}`), state, reader);
  if (/@\s*(?:load|include)\b|\bINPLACE\b|@\w+\s*\(/.test(text))
    reader.undecidable('An awk program loads or calls unknown code.');
}

function runPiped(command: string | undefined, state: Call['state'], reader: Call['reader']): void {
  if (command === undefined) reader.undecidable('An awk program runs a command that is not known.');
  else reader.runText([command], state.copy());
}

/** @returns the redirection or pipe of a `print` outside all brackets, and the text after it. */
function outer(text: string): { operator: string; rest: string } | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (depth <= 0 && char === '>')
      return { operator: '>', rest: text.slice(at + (text[at + 1] === '>' ? 2 : 1)) };
    else if (depth <= 0 && char === '|') {
      if (text[at + 1] === '|') at += 1;
      else return { operator: '|', rest: text.slice(at + (text[at + 1] === '&' ? 2 : 1)) };
    }
  }
  return undefined;
}

function unescapeString(text: string): string {
  return text.replace(/\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|([^]))/g, (_, hex, octal, char) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex as string, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal as string, 8));
    return char === 'n' ? '\n' : char === 't' ? '\t' : (char as string);
  });
}
