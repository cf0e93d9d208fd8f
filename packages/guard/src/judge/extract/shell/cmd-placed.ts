import type { Reader } from './call.ts';
import { type Field, GLOB } from './marks.ts';
import type { ShellState } from './state.ts';

/** Commands of `cmd` that create files under the names of their sources. */
export const CMD_PUTS = /^(?:copy|xcopy|robocopy|move|ren|rename|replace|mklink)$/;

/** Joins `a + b`, the sources that `copy` writes as one file. */
export function joinSources(operands: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const text of operands) {
    const last = joined.at(-1);
    if (last !== undefined && (text.startsWith('+') || last.endsWith('+'))) joined[joined.length - 1] = last + text;
    else joined.push(text);
  }
  return joined;
}

/**
 * Records the files that appear in a directory under the names of the sources; whole trees with xcopy and robocopy.
 *
 * @param operands without options
 */
export function putCmdFiles(
  name: string,
  { operands, isTree }: { readonly operands: readonly string[]; readonly isTree: boolean },
  place: (text: string) => Field,
  state: ShellState,
  reader: Reader,
): void {
  const target = name === 'robocopy' ? operands[1] : operands.at(-1);
  if (target === undefined || operands.length < (name === 'xcopy' || name === 'copy' ? 1 : 2)) return;
  const to = operands.length === 1 ? place('.') : place(target);
  // A wildcard in the new name is filled from the old name, so the result may be any name.
  if (to.value.includes(GLOB))
    return reader.write(state, { ...to, value: to.value.replaceAll(GLOB, ''), written: target }, 'appears');
  if (isTree) reader.write(state, to, 'fills');
  const sources = name === 'robocopy' ? operands.slice(2) : operands.length === 1 ? operands : operands.slice(0, -1);
  for (const source of sources) {
    const from = place(name === 'copy' ? (source.split('+')[0] ?? '') : source);
    const base =
      from.value
        .replace(/(?<![\\/])[\\/]+$/, '')
        .split(/[\\/:]/)
        .at(-1) ?? '';
    const slash = /[\\/]$/.test(to.value) ? '' : '/';
    if (base === '' || base === '.') reader.write(state, to, 'fills');
    else reader.write(state, { value: `${to.value}${slash}${base}`, written: `${target}/${base}` }, 'appears');
    // A moved directory replaces another one or goes into it.
    if (name === 'move' || name === 'mklink') reader.write(state, to, 'replaces');
  }
}
