import type { SearchIn } from '../api/files.ts';
import type { Place } from '../routing/location.ts';

/** Name of the top of the tree. */
export const TREE_NAME = 'Files';

/** The content of the files page: a folder, with an optional file in it, or the results of a search. */
export interface FilesPlace {
  readonly dir: string;
  /** Path of the previewed file. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly q?: string | undefined;
  readonly where?: SearchIn | undefined;
}

/** Reads the address. Paths are in the query, because some proxies rewrite paths of an URL. */
export function readFilesPlace({ query }: Pick<Place, 'query'>): FilesPlace {
  const line = Number(query.get('line'));
  return {
    dir: query.get('dir') ?? '',
    file: query.get('file') ?? undefined,
    line: Number.isInteger(line) && line > 0 ? line : undefined,
    q: query.get('q') ?? undefined,
    where: query.get('in') === 'content' ? 'content' : 'name',
  };
}

/** Writes the address. */
export function toFilesPlace({ dir, file, line, q, where }: FilesPlace): string {
  const query = new URLSearchParams();
  if (dir) query.set('dir', dir);
  if (file) query.set('file', file);
  if (file && line) query.set('line', `${line}`);
  if (q) query.set('q', q);
  if (q && where === 'content') query.set('in', where);
  const text = query.toString();
  return `/files${text ? `?${text}` : ''}`;
}
