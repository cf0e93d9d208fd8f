import { ANY } from './marks.ts';
import { expanded, place } from './powershell-arguments.ts';
import type { Session } from './powershell-session.ts';
import type { Token } from './powershell-tokens.ts';

/** Every way to set a variable by its name: `$x =`, `$x +=`, `$x++`, `$x, $y =`, `foreach ($x`, `[ref]$x`, `-OutVariable x`. */
const SETS =
  /\$\{?(?:(?:global|local|private|script|variable):)?([\w:]+)\}?\s*(?:(?:\?\?|[-+*/%])?=|\+\+|--|,\s*\$[\w:,\s${}]*=)|(?:\+\+|--|\[ref\]\s*|\bforeach\s*(?:-\w+\s*)?\(\s*)\$\{?(?:(?:global|local|private|script|variable):)?([\w:]+)|\s-(\w+)(?:[:\s]\s*)['"]?\+?(\w+)/gi;

/** Parameters that name a variable to set have a name with `v`: `-OutVariable`, `-ov`, `-SessionVariable`, `-PipelineV`. */
const NAMES_VARIABLE = /^(?!value$|verb|vers)(?:pip|\w*v)/i;

/** Variables that PowerShell sets itself. */
const AUTOMATIC =
  /^(?:_|psitem|args|input|matches|foreach|switch|this|pwd|error|event|eventargs|sender|lastexitcode|profile|psboundparameters|pscommandpath|psscriptroot|myinvocation|home|[?$^])$/;

/** One quoted text from its first character to its last. */
const QUOTED = /^(?:'(?:[^']|'')*'|"(?:[^"`]|`[^]|"")*"|@'[^]*'@|@"[^]*"@)$/;

/** Characters of a text in which variables are looked for: that takes quadratic time. */
const MAX_SEARCHED = 32_768;

/**
 * The names that a text sets once. A variable that is set again, perhaps in a branch, has no single value. A long text has
 * none.
 */
export function setOnce(source: string): ReadonlySet<string> {
  if (source.length > MAX_SEARCHED) return new Set();
  // The values of parameters come from outside of the text.
  if (/\bparam\s*\(/i.test(source)) return new Set();
  const bare = withoutComments(source);
  const counts = [...new Set([source, bare])].map(countSets);
  const names = new Set(counts.flatMap((count) => [...count.keys()]));
  return new Set([...names].filter((name) => counts.every((count) => (count.get(name) ?? 0) <= 1)));
}

function countSets(source: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, set, other, parameter, output] of source.matchAll(SETS)) {
    if (parameter !== undefined && !NAMES_VARIABLE.test(parameter)) continue;
    const name = (set ?? other ?? output ?? '').toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** A comment may separate a variable from its `=`. A text in quotes may look like a comment. */
function withoutComments(source: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = source.indexOf('<#'); at !== -1; at = source.indexOf('<#', from)) {
    const end = source.indexOf('#>', at + 2);
    if (end === -1) break;
    parts.push(source.slice(from, at));
    from = end + 2;
  }
  return [...parts, source.slice(from)].join('');
}

/** Keeps the value of `$name = …` if it is one quoted text. @returns the words behind `=`; undefined for other commands */
export function readAssigned(words: readonly Token[], session: Session): readonly Token[] | undefined {
  const [first] = words;
  const found = /^\$([\w:]+)(=?)/.exec(first?.text ?? '');
  if (first === undefined || found === null) return undefined;
  const [head, given = '', isJoined] = found;
  if (isJoined === '' && (words[1]?.text !== '=' || first.text !== head)) return undefined;
  const rest =
    isJoined === ''
      ? words.slice(2)
      : [
          { ...first, text: first.text.slice(head.length), written: first.written.slice(head.length) },
          ...words.slice(1),
        ];
  const name = given.toLowerCase();
  const { state, reader, variables, isSetOnce } = session;
  if (/^env:(?:path|psmodulepath|pathext|comspec|node_options|git_\w+|ld_\w+)$/.test(name))
    reader.undecidable(`$${name} decides what runs.`);
  const [only, ...more] = rest;
  const isKnown =
    only !== undefined &&
    more.length === 0 &&
    QUOTED.test(only.written) &&
    isSetOnce.has(name) &&
    !AUTOMATIC.test(name);
  variables.set(name, isKnown ? expanded(only.text, only.written, state, variables) : ANY);
  return rest;
}

/** `${C:\x} = 1` writes the file `C:\x`. */
export function readDriveVariable([first, next]: readonly Token[], { state, reader, variables }: Session): void {
  const found = /^(?:\[[^\]]*\])*\$(?:\{([^}]*:[^}]*)\}|(\w+:\w+)(=?))/.exec(first?.written ?? '');
  if (found === null) return;
  const [, braced, plain, isJoined] = found;
  const name = braced ?? plain ?? '';
  if (/^(?:global|local|private|script|using|workflow|variable|env|function|alias):/i.test(name)) return;
  if (braced !== undefined || isJoined === '=' || /^(?:[-+*/%]|\?\?)?=/.test(next?.written ?? ''))
    reader.write(state, place(name, `'${name}'`, state, variables));
}
