import { ANY } from './marks.ts';
import { expanded } from './powershell-arguments.ts';
import type { Session } from './powershell-session.ts';
import type { Token } from './powershell-tokens.ts';

/** Every way to set a variable by its name: `$x =`, `$x +=`, `$x++`, `$x, $y =`, `foreach ($x`, `[ref]$x`, `-OutVariable x`. */
const SETS =
  /\$\{?(?:(?:global|local|private|script):)?([\w:]+)\}?\s*(?:(?:\?\?|[-+*/%])?=|\+\+|--|,\s*\$[\w:,\s${}]*=)|(?:\+\+|--|\[ref\]\s*|\bforeach\s*(?:-\w+\s*)?\(\s*)\$\{?(?:(?:global|local|private|script):)?([\w:]+)|\s-(?:ov|outv\w*|pv|pip\w*|ev|errorv\w*|wv|warn\w*v\w*|iv|info\w*v\w*)(?:[:\s]\s*)['"]?\+?(\w+)/gi;

/** One quoted text from its first character to its last. */
const QUOTED = /^(?:'(?:[^']|'')*'|"(?:[^"`]|`[^]|"")*"|@'[^]*'@|@"[^]*"@)$/;

/** The names that a text sets once. A variable that is set again, perhaps in a branch, has no single value. */
export function setOnce(source: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const [, set, other, output] of source.matchAll(SETS)) {
    const name = (set ?? other ?? output ?? '').toLowerCase();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
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
  const isKnown = only !== undefined && more.length === 0 && QUOTED.test(only.written) && isSetOnce.has(name);
  variables.set(name, isKnown ? expanded(only.text, only.written, state, variables) : ANY);
  return rest;
}
