import type { SearchIn } from '../api/files.ts';
import { Breadcrumbs } from '../ui/breadcrumbs.tsx';
import { type FilesPlace, toFilesPlace, TREE_NAME } from './place-of-files.ts';
import { SearchBox } from './search-box.tsx';

/** Which folder, or what is looked for. */
export function FilesBar({ place, go }: { place: FilesPlace; go: (change: Partial<FilesPlace>) => void }) {
  const steps = [{ name: TREE_NAME, to: toFilesPlace({ dir: '' }) }];
  const parts = place.dir === '' ? [] : place.dir.split('/');
  for (const [index, name] of parts.entries())
    steps.push({ name, to: toFilesPlace({ dir: parts.slice(0, index + 1).join('/') }) });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
      {/* Nothing appears beside the search in the top folder: it would move away while the user types. */}
      {parts.length > 0 &&
        (place.q ? <p className="text-soft">Searching all files</p> : <Breadcrumbs label="Folders" steps={steps} />)}
      <SearchBox
        q={place.q ?? ''}
        where={place.where ?? 'name'}
        onSearch={(q: string, where: SearchIn) => go({ q, where, ...(q === '' ? { line: undefined } : {}) })}
      />
    </div>
  );
}
