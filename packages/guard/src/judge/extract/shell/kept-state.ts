import { ATOM, HAS_MARK, MAYBE } from './marks.ts';
import { lookUp } from './parameter.ts';
import { ShellState, type Value } from './state.ts';

/** The state that the reader assumes for a shell that has run nothing yet. */
const FRESH = new ShellState(['']);

/** Options that change what is shown, or when the shell stops, but not the meaning of commands. */
const HARMLESS =
  /^(?:[euxvmbhCET]|errexit|nounset|xtrace|verbose|pipefail|noclobber|monitor|notify|hashall|errtrace|functrace|emacs|vi|ignoreeof|history|globstar|nullglob|failglob|nocasematch|globasciiranges|nonomatch|inheriterrexit|huponexit|checkwinsize|histappend|cmdhist|lithist|progcomp|interactivecomments|expandaliases|shwordsplit)$/;

/**
 * Whether commands keep the meaning that the reader assumes with this shell option. `name` as `set` or `shopt` takes
 * it.
 */
export function isHarmlessOption(name: string): boolean {
  return HARMLESS.test(name.length === 1 ? name : name.toLowerCase().replaceAll('_', ''));
}

/**
 * The options and variables that a shell keeps for later command lines. Those lines are read without them, as if each
 * were the first. A variable counts only if the reader assumes a value for it (`HOME`, `TMPDIR`, `$1`); the reader
 * treats every other variable as unknown.
 *
 * @returns a sentence for each option or variable; empty if later lines are read correctly
 */
export function keptBy(state: ShellState): readonly string[] {
  const kept: string[] = [];
  const [option] = state.options;
  if (option !== undefined) kept.push(`The shell option '${option}' changes how later commands are read.`);
  for (const [variable, value] of state.variables) {
    const usual = lookUp(FRESH, variable);
    // Allowed values of PATH are checked where it is set.
    if (usual !== undefined && variable !== 'PATH' && !isLikeUsual(value, usual))
      kept.push(`The variable '${variable}' has another value for later commands.`);
  }
  const [readonly] = state.readonly;
  if (readonly !== undefined) kept.push(`The variable '${readonly}' is read-only for later commands.`);
  if (state.parameters !== undefined && state.parameters.length > 0)
    kept.push('The positional parameters have other values for later commands.');
  return kept;
}

function isLikeUsual(value: Value, usual: Value): boolean {
  if (JSON.stringify(usual) === JSON.stringify(value)) return true;
  if ('items' in usual || usual[0]?.endsWith(ATOM) !== true || 'items' in value) return false;
  return value.every(
    (text) => text.replace(MAYBE, '') === ATOM || !(HAS_MARK.test(text) || text.includes('/') || /^\.\.?$/.test(text)),
  );
}
