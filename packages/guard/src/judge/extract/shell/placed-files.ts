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
  if (name === 'mv') for (const source of sources) reader.write(state, source, 'removes');
  if (name === 'ln' && operands.length === 1 && last !== undefined) {
    const base = baseName(last);
    if (base !== '') reader.write(state, withValue(last, base));
  }
  for (const target of targets.length > 0 ? targets : last === undefined || operands.length < 2 ? [] : [last]) {
    if (isRemote(target) && /^(?:rsync|scp)$/.test(name)) continue;
    const isInto = targets.length > 0 || sources.length > 1 || (!isWhole && mayBeDirectory(state, target));
    for (const source of sources) {
      // With --parents the whole path of the source appears there.
      const base = has('--parents') ? source.value.replace(/\/+$/, '') : baseName(source);
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

/** Records the directories that `mkdir` makes, with their parents. */
export function noteMade({ state }: Call, operands: readonly Field[]): void {
  for (const cwd of state.cwds) {
    for (const { value } of operands) {
      let path = cwd === '' || value.startsWith('/') ? value : `${cwd}/${value}`;
      path = path.replace(/^\.\//, '').replace(/\/+$/, '');
      while (path !== '' && path !== '.' && !path.includes(ANY)) {
        state.made.add(path);
        path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
      }
    }
  }
}
