import { ANY, currentDirectory, type Field, GLOB, HOME } from './marks.ts';
import { type Token, wordToken } from './powershell-tokens.ts';
import type { ShellState } from './state.ts';

/** One value of a list. */
const ITEM = /(?:'(?:[^']|'')*'|"(?:[^"`]|`[^]|"")*"|`[^]|\$\{[^}]*\}|\$\([^)]*\)|[^,'"`])+/g;

/** The values of a list such as `a,'b'`. A comma in quotes separates none. */
export function list(token: Token | undefined): Token[] {
  if (token === undefined) return [];
  if (!token.written.includes(',') || token.written.startsWith('@')) return [token];
  return (token.written.match(ITEM) ?? []).map((item) => wordToken(item.trim()));
}

/** Joins the words of each list with blanks at its commas: `a, b`, `a ,b`. */
function withLists(args: readonly Token[]): Token[] {
  const lists: Token[][] = [];
  for (const token of args) {
    const isNext = token.written.startsWith(',') || lists.at(-1)?.at(-1)?.written.endsWith(',') === true;
    if (isNext && lists.length > 0) lists.at(-1)?.push(token);
    else lists.push([token]);
  }
  return lists.map((words) => {
    const [only, ...others] = words;
    if (only !== undefined && others.length === 0) return only;
    const texts = words.map(({ text }) => text);
    return {
      text: texts.join(''),
      written: words.map(({ written }) => written).join(''),
      isOperator: false,
      isQuoted: false,
    };
  });
}

const SWITCHES =
  /^(?:recurse|r|force|f|fo|append|noclobber|nonewline|passthru|confirm|whatif|verbose|usebasicparsing|notypeinformation|container|raw|wait|asbytestream|rf|fr|p)$/;

const LONG_SWITCHES =
  'recurse force append noclobber nonewline passthru confirm whatif verbose debug usebasicparsing notypeinformation container raw wait asbytestream parallel asjob update resume'.split(
    ' ',
  );

/** A named parameter, with the name as written (possibly abbreviated). */
export interface Named {
  readonly name: string;
  readonly value: Token;
}

/** The names of the parameters that hold the paths of a cmdlet, with the aliases that every `-LiteralPath` has. */
export function pathParameters(names: string): readonly string[] {
  return names.includes('literalpath') ? [...names.split(' '), 'lp', 'pspath'] : names.split(' ');
}

/** A parameter's name, perhaps with its value. Quotes or a backtick in it make the word a value. */
const PARAMETER = /^-([a-z]\w*)(?::(.*))?$/is;

/** Splits arguments into named parameters and positions. */
export function parameters(words: readonly Token[]): { named: Named[]; positions: Token[] } {
  const named: Named[] = [];
  const positions: Token[] = [];
  const args = withLists(words);
  for (let at = 0; at < args.length; at += 1) {
    const token = args[at] as Token;
    if (token.written === '--') {
      positions.push(...args.slice(at + 1));
      break;
    }
    const match = PARAMETER.exec(token.written);
    const name = (match?.[1] ?? '').toLowerCase();
    if (match === null) positions.push(token);
    else if (match[2] !== undefined && match[2] !== '') named.push({ name, value: wordToken(match[2]) });
    else {
      const next = args[at + 1];
      if (next === undefined || SWITCHES.test(name)) continue;
      named.push({ name, value: next });
      // An abbreviated name may be a switch; then the next word is separate.
      if (!LONG_SWITCHES.some((one) => one.startsWith(name))) at += 1;
    }
  }
  return { named, positions };
}

type Matched = [name: string | undefined, call: string | undefined, at: number];

/** @returns a text with PowerShell variables expanded; an unknown one stays unknown. Single quotes make it plain text. */
export function expanded(text: string, written: string, state: ShellState, variables: Map<string, string>): string {
  const isBare = !/["']/.test(written);
  return /^@?'/.test(written)
    ? text
    : text.replace(/\$\{?((?:env:)?\w+)\}?(\([^)]*\))?|\$\([^)]*\)/gi, (all: string, ...[name, , at]: Matched) => {
        // Outside of quotes, `$x.y` and `$x[0]` are parts of a value.
        if (isBare && /^(?:\.\w|\[)/.test(text.slice(at + all.length, at + all.length + 2))) return ANY;
        const known = name === undefined ? undefined : variables.get(name.toLowerCase());
        if (known !== undefined) return known;
        if (/^(?:home|env:userprofile|env:home|profile|env:onedrive)$/i.test(name ?? '')) return HOME;
        if (/^env:(?:appdata|localappdata)$/i.test(name ?? '')) return `${HOME}/.config`;
        if (/^env:(?:temp|tmp|tmpdir)$/i.test(name ?? '')) return '/tmp';
        if (/^env:(?:windir|systemroot|programfiles|programdata|systemdrive|public|allusersprofile)$/i.test(name ?? ''))
          return 'C:/Windows';
        if (/^pwd$/i.test(name ?? '')) return currentDirectory(state.cwds);
        // Empty outside a script file.
        if (/^psscriptroot$/i.test(name ?? '')) return '';
        return ANY;
      });
}

/** @returns a path with its variables expanded. */
export function place(text: string, written: string, state: ShellState, variables: Map<string, string>): Field {
  const value = expanded(text, written, state, variables);
  const drive = value
    .replace(/^(?:microsoft\.powershell\.core\\)?filesystem::/i, '')
    .replace(/^(?:HKLM|HKCU|HKCR|HKU|Registry|Cert|Function|Alias|Variable):.*/i, (found) => `/${found}`);
  const path = /^env:/i.test(drive) ? ANY : drive.replace(/^~(?=$|[\\/])/, HOME);
  const slashed = path.includes('\\') && !/^(?:[A-Za-z]:|\\)/.test(path) ? path.replaceAll('\\', '/') : path;
  // Cmdlets expand wildcards themselves, even quoted ones.
  return { value: slashed.replace(/[*?]/g, `${GLOB}$&`), written };
}
