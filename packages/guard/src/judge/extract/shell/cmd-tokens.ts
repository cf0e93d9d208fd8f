/** One word of a command of `cmd`, or the target of a redirection. */
export interface CmdWord {
  readonly text: string;
  readonly redirect: 'read' | 'write' | undefined;
}

/** A label that begins with a colon, and `rem` with a text, which hides `&` too. `rem & del a` runs `del`. */
const COMMENT = /[ \t\r,;=@]*(?:::[^\n&|]*|rem(?![^\s,;=])(?![ \t,;=]*[&|])[^\n]*)/iy;

/** A variable, also with a part or a replacement of its text: `,`, `;` and `=` separate no words there. */
const VARIABLE = /%[^%\s&|<>()"^]+%/y;

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

/** Splits a text for `cmd` into lines, their commands and words, with `^`, quotes and redirections applied. */
export function cmdLines(source: string): readonly (readonly (readonly CmdWord[])[])[] {
  const lines: CmdWord[][][] = [[[]]];
  let text = '';
  let isStarted = false;
  let redirect: CmdWord['redirect'];
  let isQuoted = false;
  const add = (more: string): void => {
    text += more;
    isStarted = true;
  };
  const flush = (): void => {
    if (isStarted) {
      lines.at(-1)?.at(-1)?.push({ text, redirect });
      redirect = undefined;
    }
    text = '';
    isStarted = false;
  };
  let at = matchAt(COMMENT, source, 0).length;
  for (; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === '\n') {
      flush();
      redirect = undefined;
      isQuoted = false;
      lines.push([[]]);
      at += matchAt(COMMENT, source, at + 1).length;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      add('');
    } else if (isQuoted) add(char);
    else if (char === '^') {
      // At the end of a line it joins the next one.
      const end = matchAt(/\r?\n/y, source, at + 1);
      if (end === '') add(source.charAt(at + 1));
      at += Math.max(1, end.length);
    } else if (char === '%') {
      const variable = matchAt(VARIABLE, source, at) || char;
      add(variable);
      at += variable.length - 1;
    } else if (char === '>' || char === '<') {
      if (/^\d$/.test(text)) {
        text = '';
        isStarted = false;
      }
      flush();
      if (source[at + 1] === '>') at += 1;
      if (source[at + 1] === '&') at += 2;
      else redirect = char === '>' ? 'write' : 'read';
    } else if (/[&|()]/.test(char)) {
      flush();
      lines.at(-1)?.push([]);
    } else if (/[\s,;=]/.test(char)) flush();
    else add(char);
  }
  flush();
  return lines.map((commands) => commands.filter((words) => words.length > 0)).filter((line) => line.length > 0);
}
