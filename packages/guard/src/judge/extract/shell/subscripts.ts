import { ATOM } from './marks.ts';
import { lookUp } from './parameter.ts';
import type { ShellState } from './state.ts';

const RUNS = /\$\(|`/;
const REASON = 'A subscript that is evaluated runs a command.';
/** Arithmetic also sets variables, to numbers. */
const ASSIGNS =
  /\b([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;
/** Of a text and the values of its variables together. A command can have a thousand such texts. */
const MAX_CHARACTERS = 4_096;
const TOO_LONG = 'A subscript that is evaluated is too long to be read.';

/**
 * The shell evaluates arithmetic and variable names twice: `x='a[$(rm b)]'; ((x))` runs the command in the value.
 * Reports a text whose words, or the values of its variables, contain a substitution or are too long. Each variable is read once.
 */
export function checkEvaluated(text: string, state: ShellState, undecidable: (reason: string) => void): void {
  const seen = new Set<string>();
  const texts = [text];
  let left = MAX_CHARACTERS;
  for (let one = texts.pop(); one !== undefined; one = texts.pop()) {
    left -= one.length;
    if (left < 0) return undecidable(TOO_LONG);
    if (RUNS.test(one)) return undecidable(REASON);
    for (const [, ...names] of one.matchAll(ASSIGNS)) {
      const name = names.find((found) => found !== undefined);
      if (name !== undefined) state.mayBecome(name, [ATOM]);
    }
    for (const [name] of one.matchAll(/[A-Za-z_]\w*/g)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const value = lookUp(state, name);
      if (value === undefined) continue;
      for (const next of 'items' in value ? value.items.map((item) => item.value) : value) texts.push(next);
    }
  }
}

/** The same for an expression as written; its unquoted substitutions have been read already. */
export function checkArithmetic(written: string, state: ShellState, undecidable: (reason: string) => void): void {
  if (/'[^']*(?:\$\(|`)[^']*'|\\\$\(|\\`/.test(written)) undecidable(REASON);
  checkEvaluated(written.replaceAll(/\$\(|`/g, ' '), state, undecidable);
}
