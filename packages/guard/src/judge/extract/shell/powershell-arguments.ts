import { ANY, currentDirectory, type Field, GLOB, HOME } from './marks.ts';
import type { Token } from './powershell-tokens.ts';
import type { ShellState } from './state.ts';

/** The values of a list such as `a,b`. A quoted text is one value. */
export function list(token: Token | undefined): Token[] {
  if (token === undefined) return [];
  return token.isQuoted
    ? [token]
    : token.text
        .split(',')
        .filter((text) => text !== '')
        .map((text) => ({ ...token, text }));
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

/** Splits arguments into named parameters and positions. */
export function parameters(args: readonly Token[]): { named: Named[]; positions: Token[] } {
  const named: Named[] = [];
  const positions: Token[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const token = args[at] as Token;
    const match = token.isQuoted ? null : /^-([a-z]\w*)(?::(.*))?$/i.exec(token.text);
    if (match === null) positions.push(token);
    else if (match[2] !== undefined && match[2] !== '')
      named.push({ name: (match[1] ?? '').toLowerCase(), value: { ...token, text: match[2] } });
    else {
      const name = (match[1] ?? '').toLowerCase();
      const next = args[at + 1];
      if (next === undefined || SWITCHES.test(name)) continue;
      named.push({ name, value: next });
      // An abbreviated name may be a switch; then the next word is separate.
      if (!LONG_SWITCHES.some((one) => one.startsWith(name))) at += 1;
    }
  }
  return { named, positions };
}

/** @returns a text with PowerShell variables expanded; an unknown one stays unknown. Single quotes make it plain text. */
export function expanded(text: string, written: string, state: ShellState, variables: Map<string, string>): string {
  return /^@?'/.test(written)
    ? text
    : text.replace(/\$\{?((?:env:)?\w+)\}?(\([^)]*\))?|\$\([^)]*\)/gi, (_, name: string | undefined) => {
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
