import type { Call } from './call.ts';
import { ANY, changeDirectory, type Field, GLOB, withValue } from './marks.ts';
import { isRemote } from './remote-operand.ts';

/** Commands that create files under the names of their sources. */
export const PLACES = /^(?:cp|mv|ln|link|install|rsync|scp|ditto|cpx|ncp|copyfiles)$/;

/**
 * Records the files that appear in a directory under the names of the sources, and the directory that replaces another
 * one.
 */
export function notePlaced(
  { state, reader, name }: Call,
  operands: readonly Field[],
  targets: readonly Field[],
  has: (...names: string[]) => boolean,
): void {
  const sources = targets.length > 0 ? operands : operands.slice(0, -1);
  const last = operands.at(-1);
  const isWhole = has('-T', '--no-target-directory');
  const isDeep = /^(?:mv|ln|ditto|rsync|ncp)$/.test(name) || has('-r', '-R', '-a', '--recursive', '--archive');
  const isSymbolic = name === 'ln' && has('-s', '--symbolic');
  if (name === 'mv') for (const source of sources) reader.write(state, source, 'removes');
  if (name === 'ln' && operands.length === 1 && last !== undefined) {
    const base = baseName(last);
    if (base !== '') reader.write(state, withValue(last, base));
    if (isSymbolic) reader.link(state, base, last.value);
  }
  for (const target of targets.length > 0 ? targets : last === undefined || operands.length < 2 ? [] : [last]) {
    if (isRemote(target) && /^(?:rsync|scp)$/.test(name)) continue;
    const isInto = targets.length > 0 || sources.length > 1 || (!isWhole && mayBeDirectory(state, target));
    for (const source of sources) {
      // With --parents the whole path of the source appears there.
      const base = has('--parents') ? source.value.replace(/\/+$/, '') : baseName(source);
      if (isSymbolic)
        for (const link of [target.value, `${target.value}/${base}`]) reader.link(state, link, source.value);
      const isContent =
        isDeep && (isWhole || base === '' || (name === 'rsync' && source.value.endsWith('/')) || name === 'ditto');
      if (isContent || !/[^*?.\uE000-\uE00F]/.test(base)) reader.write(state, target, 'fills');
      else if (isInto) {
        const value = `${target.value.replace(/\/+$/, '')}/${base.replaceAll(ANY, '')}`;
        const into = {
          value: target.value.startsWith('/') && value.startsWith('//') ? value.slice(1) : value,
          written: value,
        };
        if (!base.includes(ANY))
          reader.write(state, into, isDeep ? 'replaces' : base.includes(GLOB) ? 'appears' : undefined);
      }
      // A directory may replace an existing one or go into it.
      if (isDeep && (!isInto || !base.includes('.'))) reader.write(state, target, 'replaces');
      // Entries of a repository turn their target directory into one.
      if ((isContent || base.includes(GLOB)) && isRepository(state, source, isContent))
        reader.write(state, target, 'repository');
    }
  }
}

/** The last component of a path; empty if the path means the content of a directory (`x/.`). */
function baseName({ value }: Field): string {
  const base =
    value
      .replace(/^[\w.@-]{2,}:(?=[^/\\]+$)/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  return base === '.' || base === '..' ? '' : base;
}

function isRepository(state: Call['state'], source: Field, isContent: boolean): boolean {
  const path = source.value.replace(/\/+$/, '');
  const dir = isContent ? path : path.replace(/(?:^|\/)[^/]*$/, '') || '.';
  return ['objects', 'refs'].every((part) => {
    const at = withValue(source, changeDirectory(dir, part));
    return state.isDirectory !== undefined && mayBeDirectory(state, at);
  });
}

function mayBeDirectory(state: Call['state'], { value }: Field): boolean {
  if (/\/$|(?:^|\/)\.{1,2}$/.test(value)) return true;
  if (state.isDirectory === undefined) return !value.includes(GLOB);
  if (/[\uE000-\uE00F]/.test(value)) return true;
  return state.cwds.some((cwd) => {
    const path = cwd === '' || value.startsWith('/') ? value : `${cwd}/${value}`;
    return state.made.has(path.replace(/^\.\//, '')) || state.isDirectory?.(path) === true;
  });
}

/** Records the directories that `mkdir` makes for certain, with their parents. */
export function noteMade({ state, args }: Call, operands: readonly Field[]): void {
  const options = args.map((arg) => arg.value).filter((value) => value.startsWith('-') && value !== '--');
  if (!options.every((option) => /^-[pv]+$|^--(?:parents|verbose)$/.test(option))) return;
  const makesParents = options.some((option) => /^-\w*p|^--parents$/.test(option));
  for (const cwd of state.cwds) {
    for (const { value } of operands) {
      const path = cwd === '' || value.startsWith('/') ? value : `${cwd}/${value}`;
      const made = withParents(path.replace(/^\.\//, '').replace(/\/+$/, ''));
      const isThere = (dir: string) => state.made.has(dir) || state.isDirectory?.(dir) === true;
      if (made.some((dir) => state.isFile?.(dir) === true)) continue;
      if (makesParents || made.slice(1).every(isThere)) for (const dir of made) state.made.add(dir);
    }
  }
}

/** Forgets made directories that a command may remove or close, such as `rm`, `mv` and `chmod`. */
export function forgetMade({ name, state, args: all }: Call): void {
  const isLastKept = name === 'mv' && !all.some((arg) => /^-\w*t|^--t/.test(arg.value));
  const args = isLastKept ? all.slice(0, -1) : all;
  const paths = state.cwds.flatMap((cwd) => args.map(({ value }) => changeDirectory(cwd, value)));
  for (const made of state.made)
    if (
      paths.some((path) => /[\uE000-\uE00F]|\.\./.test(path) || `${made}/`.startsWith(`${path.replace(/\/+$/, '')}/`))
    )
      state.made.delete(made);
}

/** A path and the directories above it, up to the first that is not known. */
function withParents(path: string): readonly string[] {
  if (path === '' || path === '.' || path.includes(ANY)) return [];
  return [path, ...(path.includes('/') ? withParents(path.slice(0, path.lastIndexOf('/'))) : [])];
}
