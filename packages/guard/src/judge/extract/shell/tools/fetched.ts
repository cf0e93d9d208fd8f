import type { Reader } from '../call.ts';
import { ANY, type Field, field, GLOB } from '../marks.ts';
import type { ShellState } from '../state.ts';

/** The name of a file that is fetched from a URL; empty if the server or a pattern decides it. */
export function nameInAddress({ value }: Field, keepsQuery: boolean): string {
  const bare = keepsQuery ? value.replace(/#[^]*$/, '') : value.replace(/[?#][^]*$/, '');
  if (bare.includes(ANY) || /[[\]{}]|\uE002/.test(bare)) return '';
  const path = bare.replace(/^\w[\w+.-]*:\/\/[^/]*/, '').replace(/^[\w.@-]+(?:\/[\w.-]+)?:/, '');
  const base = path.split('/').at(-1) ?? '';
  try {
    const plain = decodeURIComponent(base);
    return plain.includes('/') ? '' : plain;
  } catch {
    return base;
  }
}

/** Records what appears when a URL is copied to a directory or file. `isAll`: everything below the URL. */
export function noteFetched(state: ShellState, reader: Reader, from: Field, to: Field, isAll: boolean): void {
  const name = nameInAddress(from, false);
  const target = to.value.replace(/\/+$/, '');
  if (isAll || name === '' || name === '.' || name.includes(GLOB)) reader.write(state, to, 'fills');
  else reader.write(state, field(target === '' || target === '.' ? name : `${target}/${name}`, from.written));
}
