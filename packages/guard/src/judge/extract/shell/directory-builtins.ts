import { type Call, mayNotRun, type Result } from './call.ts';
import { enterDirectory } from './enter-directory.ts';
import { ANY, changeDirectory, emptied, GLOB, HAS_MARK, HOME, SPLIT } from './marks.ts';
import { parseOptions } from './options.ts';
import { fromRoot } from './parameter.ts';
import type { ShellState } from './state.ts';

/** `cd` and its relatives; `pushes` for `pushd`. */
export function goTo(call: Call, pushes: boolean): Result {
  if (isPlain(call)) return change(call, pushes);
  const before = call.state.copy();
  return mayNotRun(change(call, pushes), before);
}

/** Other forms may fail although the directory is there: with another option, with two directories, where a shell has no `pushd` or `z`. */
function isPlain({ name, args }: Call): boolean {
  const words = args.filter((arg) => !(name === 'cd' && /^-[LP]+$/.test(arg.value)) && arg.value !== '--');
  return words.length < 2 && name === 'cd' && words.every((word) => !/^-./.test(word.value));
}

function change(call: Call, pushes: boolean): Result {
  const { state, args } = call;
  const { operands, isOpen } = parseOptions(
    args.filter((arg) => arg.value !== '-'),
    {},
  );
  const wanted = args.find((arg) => arg.value === '-') ?? operands[0];
  const before = state.cwds;
  if (pushes) {
    if (wanted === undefined || /^[+-]\d+$/.test(wanted.value)) {
      const top = state.stack.pop();
      state.stack.push(before);
      return moved(state, top ?? [ANY], before);
    }
    state.stack.push(before);
  }
  if (isOpen && operands.length === 0) return moved(state, [ANY], before);
  if (wanted === undefined) return moved(state, homeOf(state), before);
  if (wanted.value === '-') return moved(state, previousOf(state), before);
  if (wanted.value === '') return moved(state, before, before);
  const isPhysical = args.some((arg) => /^-\w*P/.test(arg.value));
  const enter = isPhysical
    ? (cwd: string, value: string) => enterDirectory(state, cwd, value)
    : (cwd: string, value: string) => target(cwd, value);
  const values = [wanted.value, ...emptied(wanted.value)];
  return moved(
    state,
    values.flatMap((value) => before.map((cwd) => enter(cwd, value))),
    before,
  );
}

function homeOf(state: ShellState): readonly string[] {
  const home = state.variables.get('HOME');
  return home === undefined || 'items' in home ? [HOME] : home;
}

/** `cd -` takes the directory from a variable, which the command line may have set. */
function previousOf(state: ShellState): readonly string[] {
  const set = state.variables.get('OLDPWD');
  if (set === undefined || 'items' in set) return state.previous;
  return [...new Set([...state.previous, ...set.flatMap((value) => state.cwds.map((cwd) => target(cwd, value)))])];
}

function target(cwd: string, value: string): string {
  if (value.startsWith(ANY) || (cwd.includes(ANY) && !/^[/\uE003-\uE005]/.test(value))) return ANY;
  // The target of `link*/..` is not known without the disk.
  if (value.includes(ANY))
    return cwd === '' || value.startsWith('/') ? value.replaceAll(SPLIT, '') : `${cwd}/${value.replaceAll(SPLIT, '')}`;
  if (value.includes(GLOB) && /(?:^|\/)\.\.(?:\/|$)/.test(value)) return ANY;
  return changeDirectory(cwd, value.startsWith('~') ? `./${value}` : value);
}

/** Both outcomes of a `cd`: it succeeded, or it failed and the shell kept its directory. */
function moved(state: ShellState, to: readonly string[], before: readonly string[]): Result {
  const isSure = to.every(
    (path) =>
      path === '' ||
      (isThere(state, path) && !state.hasRemoved) ||
      state.made.has(path) ||
      /^\uE004?$|^\/$|^\uE003$|^\.\.$|^(?:\.\.\/)+\.\.$/.test(path),
  );
  const failure = isSure ? undefined : state.copy();
  state.cwds = to;
  state.previous = before;
  for (const path of to) if (!path.includes(ANY)) state.made.add(path);
  return { success: state, failure, output: [''] };
}

function isThere(state: ShellState, path: string): boolean {
  return !HAS_MARK.test(path) && state.isDirectory?.(path) === true;
}

export function popDirectory({ state, args }: Call): Result {
  const before = state.cwds;
  // `popd +1` and `popd -n` remove another entry.
  if (args.length > 0) {
    const all = [...new Set([...before, ...state.stack.flat(), ANY])];
    state.stack = [];
    return moved(state, all, before);
  }
  const to = state.stack.pop();
  return moved(state, to ?? [ANY], to === undefined ? [ANY] : before);
}

/** @returns the directories the shell may be in, as `pwd` prints them. */
export function printDirectory({ state, args }: Call): readonly string[] {
  const isPhysical = args.some((arg) => /^-\w*P/.test(arg.value));
  return state.cwds.map((cwd) => fromRoot(isPhysical ? enterDirectory(state, cwd, '.') : cwd));
}
