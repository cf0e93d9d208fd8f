import { ANY, HOME } from './marks.ts';

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
