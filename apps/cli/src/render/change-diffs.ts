import type { ChangeDiffs } from '@croft/tools';
import type { Palette } from './colours.ts';
import { renderHunks } from './diff.ts';
import { printableName } from './printable.ts';

/** Renders the lines that a change added to files and removed from them, below the line of the change. */
export function renderChangeDiffs({ files, moreFiles }: ChangeDiffs, paint: Palette): string {
  const texts = files.map(({ kind, path, diff = '', added, removed, isCut, problem }) => {
    if (kind === 'move') return '';
    const counts = problem ?? (diff === '' ? 'same text' : `+${added} -${removed}`);
    const cut = isCut ? `      ${paint.dim('The rest is left out.')}\n` : '';
    return `      ${paint.bold(printableName(path))}  ${paint.dim(printableName(counts))}\n${renderHunks(diff, paint)}${cut}`;
  });
  const more = moreFiles > 0 ? `      ${paint.dim(`and ${moreFiles} more`)}\n` : '';
  return texts.join('') + more;
}
