import type { Change } from '../api/activity.ts';
import { countText } from './cost-text.ts';

/** Changes that a server lists at most. */
const MAX_CHANGES = 20;

/** How many files a run changed, without changes that were undone; undefined where there are none. */
export function runFilesText(changes: readonly Pick<Change, 'tool' | 'undo' | 'paths'>[]): string | undefined {
  const left = changes.filter(({ tool, undo }) => tool !== 'undo' && undo !== 'done');
  const count = new Set(left.flatMap(({ paths }) => paths)).size;
  if (count === 0) return undefined;
  return `${changes.length >= MAX_CHANGES ? 'at least ' : ''}${countText(count, 'file')}`;
}
