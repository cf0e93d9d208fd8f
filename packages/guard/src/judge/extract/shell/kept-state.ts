import { ATOM, HAS_MARK } from './marks.ts';
import { lookUp } from './parameter.ts';
import { ShellState, type Value } from './state.ts';

/** What the reader takes for granted of a shell that has run nothing yet. */
const FRESH = new ShellState(['']);

/** Options that change what is shown, or when the shell stops, but not what a command means. */
const HARMLESS =
  /^(?:[euxvmbhCET]|errexit|nounset|xtrace|verbose|pipefail|noclobber|monitor|notify|hashall|errtrace|functrace|emacs|vi|ignoreeof|history|globstar|nullglob|failglob|nocasematch|globasciiranges|nonomatch|inheriterrexit|huponexit|checkwinsize|histappend|cmdhist|lithist|progcomp|interactivecomments|expandaliases|shwordsplit)$/;

/** Whether a shell option leaves commands with the meaning that the reader assumes. `name` as `set` or `shopt` takes it. */
export function isHarmlessOption(name: string): boolean {
  return HARMLESS.test(name.length === 1 ? name : name.toLowerCase().replaceAll('_', ''));
}

/**
 * The options and variables that a shell keeps for later command lines, which are read without them: each line is read
 * as if it were the first. A variable counts only if the reader assumes a value for it (`HOME`, `TMPDIR`,
 * `$1`); every other variable is unknown to it in any case.
 *
 * @returns a sentence for each kind of thing; empty when later lines are read correctly
 */
export function keptBy(state: ShellState): readonly string[] {
  const kept: string[] = [];
  const [option] = state.options;
  if (option !== undefined) kept.push(`The shell option '${option}' changes how later commands are read.`);
  for (const [variable, value] of state.variables) {
    const usual = lookUp(FRESH, variable);
    // What may be put into PATH is decided where it is set.
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
  if ('items' in usual || usual[0] !== ATOM || 'items' in value) return false;
  return value.every((text) => text === ATOM || !(HAS_MARK.test(text) || text.includes('/') || /^\.\.?$/.test(text)));
}
