import { Script } from 'node:vm';
import { type Options, Parser } from 'acorn';
import type { ObservedCall } from '../../decision.ts';
import { type ReadProgram, readProgram } from './read-program.ts';

/** The calls of tools in a program. */
export interface ProgramCalls {
  /** The calls whose name and arguments the source states literally. */
  readonly calls: readonly ObservedCall[];
  /** The program may call tools in another way too. */
  readonly isOpen: boolean;
}

const MAX_LENGTH = 256 * 1024;

/** How runtimes read a program: as a module, or as the body of an async function, where `<!--` begins a comment. */
const GOALS = ['module', 'script'] as const;

/** The options of both: module syntax is refused later, and a module may `return` in some runtimes. */
const OPTIONS: Options = { ecmaVersion: 'latest', allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true };

/** The parser searches all names of a scope for each new one, to refuse a second declaration. Time stays linear without. */
const withoutScopes = (Base: typeof Parser): typeof Parser =>
  class extends Base {
    declareName(): void {}
  };

/**
 * Reads a JavaScript program that calls tools as `tools.name(arguments)` (code mode): the tools are all it can act
 * through. Does not run it.
 *
 * @returns undefined if the text is not such a program
 */
export function programCalls(text: string): ProgramCalls | undefined {
  if (text.length > MAX_LENGTH) return /\btools\b/.test(text) ? { calls: [], isOpen: true } : undefined;
  const [module, script] = GOALS.map((goal) => readAs(goal, text));
  const readings = [module, script].filter((reading) => reading !== undefined);
  const [first] = readings;
  if (first === undefined) return isJavaScript(text) ? { calls: [], isOpen: true } : undefined;
  const isSame = readings.every(({ calls }) => JSON.stringify(calls) === JSON.stringify(first.calls));
  // Strict code only: other code has more than one reading.
  const isOpen = module === undefined || !isSame || readings.some((reading) => reading.isOpen);
  const calls = isSame ? first.calls : readings.flatMap((reading) => reading.calls);
  // A shell command such as `ls -la` is an expression of JavaScript too.
  if (calls.length === 0 && !(isOpen && readings.some(({ isCalling }) => isCalling))) return undefined;
  return { calls, isOpen };
}

function readAs(sourceType: (typeof GOALS)[number], text: string): ReadProgram | undefined {
  try {
    return readProgram(Parser.extend(withoutScopes).parse(text, { ...OPTIONS, sourceType }), text);
  } catch (error) {
    // A RangeError: the program is nested too deep.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether V8 may accept a text, as the body of an async function, that the parser refuses. Only compiles it. */
function isJavaScript(text: string): boolean {
  try {
    return Boolean(new Script(`(async () => {\n${text}\n})`));
  } catch (error) {
    return error instanceof RangeError;
  }
}
