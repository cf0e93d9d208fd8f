import { Script } from 'node:vm';
import type { ObservedCall } from '../../decision.ts';
import { type Literal, readLiteral, skipBlanks } from './literal.ts';

/** The calls of tools in a program. */
export interface ProgramCalls {
  /** The calls whose name and arguments the source states literally. */
  readonly calls: readonly ObservedCall[];
  /** The program may call tools in another way too. */
  readonly isOpen: boolean;
}

const MAX_LENGTH = 256 * 1024;
const CALL = /\btools\s*(?:\.\s*([A-Za-z_$][\w$]*)|\[\s*(?:"([^"\\\n]+)"|'([^'\\\n]+)')\s*\])\s*\(/g;

/**
 * Ways to reach the tools, the program's own text or other code without naming `tools`, and ways to change the
 * arguments of a literal call. Words that prose uses too count only where code has them.
 */
const OTHER_WAYS = new RegExp(
  [
    /\btools\b|\\[ux]/,
    /\b(?:eval|Function|constructor|prototype|__proto__|globalThis|Reflect|Proxy|toJSON)\b/,
    /\b(?:definePropert|getOwnPropert|[gs]etPrototypeOf)/,
    /\b(?:global|self|window|this|module)\b(?![ \t]+(?!in\b|instanceof\b)[a-z])/,
    /\b(?:process|Deno|Bun)\s*[.[?]|\b(?:import|require|with)\s*[(.]/,
    // A member whose name is computed: `x[name]`, `{ [name]: y } = x`.
    /[\w$)\]}](?<!\b(?:return|await|of|in|const|let|var|case|typeof|yield|else))\s*\[(?!\s*(?:\d+|"[^"\\]*"|'[^'\\]*')\s*\])/,
    /[{,]\s*\[[^\]]*\]\s*:/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/**
 * Reads a JavaScript program that calls tools as `tools.name(arguments)` (code mode): the tools are all it can act
 * through. Does not run it.
 *
 * @returns undefined if the text is not such a program
 */
export function programCalls(text: string): ProgramCalls | undefined {
  if (!/\btools\s*(?:\?\.|[.[])|=\s*tools\b/.test(text)) return undefined;
  if (text.length > MAX_LENGTH) return { calls: [], isOpen: true };
  if (!isJavaScript(text)) return undefined;
  const calls: ObservedCall[] = [];
  let rest = '';
  let done = 0;
  for (let match = nextCall(text, 0); match !== null; match = nextCall(text, done)) {
    const after = match.index + match[0].length;
    const given = readArguments(text, after);
    if (given !== undefined) calls.push(toCall(match[1] ?? match[2] ?? match[3] ?? '', given.value));
    rest += text.slice(done, given === undefined ? after : match.index);
    done = given?.end ?? after;
  }
  rest += text.slice(done);
  return { calls, isOpen: OTHER_WAYS.test(rest) };
}

function nextCall(text: string, from: number): RegExpExecArray | null {
  CALL.lastIndex = from;
  return CALL.exec(text);
}

/** The only argument of a call and the place after its parenthesis; undefined if it is computed. */
function readArguments(text: string, start: number): { readonly value: Literal; readonly end: number } | undefined {
  const first = skipBlanks(text, start);
  if (text[first] === ')') return { value: {}, end: first + 1 };
  const literal = readLiteral(text, first);
  if (literal === undefined) return undefined;
  const end = text[literal.end] === ',' ? skipBlanks(text, literal.end + 1) : literal.end;
  return text[end] === ')' ? { value: literal.value, end: end + 1 } : undefined;
}

function toCall(name: string, value: Literal): ObservedCall {
  if (typeof value === 'string') return { name, arguments: value, isText: true };
  return { name, arguments: typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value } };
}

/** Whether V8 accepts a text as the body of an async function. Only compiles it. */
function isJavaScript(text: string): boolean {
  try {
    return Boolean(new Script(`(async () => {\n${text}\n})`));
  } catch {
    return false;
  }
}
