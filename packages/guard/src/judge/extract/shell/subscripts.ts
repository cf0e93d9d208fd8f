import { lookUp } from './parameter.ts';
import type { ShellState } from './state.ts';

const RUNS = /\$\(|`/;
const REASON = 'A subscript that is evaluated runs a command.';

/**
 * The shell evaluates arithmetic and variable names twice: `x='a[$(rm b)]'; ((x))` runs the command in the value.
 * Reports a text whose words, or the values of its variables, contain a substitution. Each variable is read once.
 */
export function checkEvaluated(text: string, state: ShellState, undecidable: (reason: string) => void): void {
  const seen = new Set<string>();
  const texts = [text];
  for (let one = texts.pop(); one !== undefined; one = texts.pop()) {
    if (RUNS.test(one)) return undecidable(REASON);
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
