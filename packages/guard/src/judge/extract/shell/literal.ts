import { ANY, HOME } from './marks.ts';
import { fromRoot } from './parameter.ts';
import type { ShellState } from './state.ts';

/** @returns the values of the unquoted text that begins a word, with its tilde expanded. */
export function literals(text: string, value: string, state: ShellState): readonly string[] {
  const name = /^~([-+]?)(?=\/|$)/.exec(text)?.[1];
  const home = state.variables.get('HOME');
  if (name === undefined || (name === '' && (home === undefined || 'items' in home))) return [literal(text, value)];
  const directories = name === '+' ? state.cwds : name === '-' ? state.previous : (home as readonly string[]);
  return directories.map((dir) => (name === '' ? dir : fromRoot(dir)) + value.slice(1 + name.length));
}

/** @returns the value of the unquoted text that begins a word, with its tilde expanded. */
export function literal(text: string, value: string): string {
  // The shell expands only a bare tilde: `\~` and `"~"` are file names.
  if (text.startsWith('~')) return tilde(value);
  const assigned = /^[-\w.]+=~/.exec(text);
  return assigned === null ? value : `${assigned[0].slice(0, -1)}${tilde(value.slice(assigned[0].length - 1))}`;
}

function tilde(value: string): string {
  const name = /^~([^/:]*)/.exec(value)?.[1] ?? '';
  if (name === '+' || name === '-') return ANY + value.slice(2);
  return HOME + value.slice(1);
}
