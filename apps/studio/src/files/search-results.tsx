import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { Fragment } from 'react';
import { type Match, type SearchIn, searchQuery } from '../api/files.ts';
import { Link } from '../routing/link.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Callout, EmptyState, ErrorState } from '../ui/state.tsx';
import { FileIcon } from './file-icon.tsx';
import { folderOf, nameOf } from './paths.ts';
import { type FilesPlace, toFilesPlace, TREE_NAME } from './place-of-files.ts';

/** Lists the matches of a search. Each links to its file, a match in a text to its line. */
export function SearchResults({ place, onOther }: { place: FilesPlace; onOther: (where: SearchIn) => void }) {
  const { q = '', where = 'name' } = place;
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...searchQuery(q, where),
    placeholderData: keepPreviousData,
  });
  if (isPending)
    return (
      <div className="p-5">
        <SkeletonLines label="Searching" lines={6} />
      </div>
    );
  if (!data) return <ErrorState title="The search failed" error={error} onRetry={() => void refetch()} />;
  const other = where === 'name' ? 'content' : 'name';
  if (data.matches.length === 0)
    return (
      <EmptyState
        icon={<SearchX size={22} />}
        title="Nothing found"
        action={<Button onClick={() => onOther(other)}>Search in {other === 'name' ? 'names' : 'contents'}</Button>}
      >
        {where === 'name' ? `No name contains “${q}”.` : `No file contains “${q}”.`}
      </EmptyState>
    );
  return (
    <div className={cn('transition-opacity', isPlaceholderData && 'opacity-60')}>
      <p role="status" className="border-b border-line px-4 py-2 text-sm text-soft">
        {data.matches.length === 1 ? '1 result' : `${data.matches.length} results`} for “{q}”
      </p>
      <ul className="py-1">
        {data.matches.map((match, index) => (
          <li key={`${match.path}:${match.line ?? ''}:${index}`}>
            <Result match={match} place={place} />
          </li>
        ))}
      </ul>
      {data.truncated && (
        <div className="p-4">
          <Callout>More files match. Make the search text longer to see fewer results.</Callout>
        </div>
      )}
    </div>
  );
}

function Result({ match, place }: { match: Match; place: FilesPlace }) {
  const name = nameOf(match.path);
  const isShown = place.file === match.path && place.line === match.line;
  return (
    <Link
      to={toFilesPlace({ ...place, file: match.path, line: match.line })}
      aria-current={isShown ? 'true' : undefined}
      className={cn(
        'flex items-start gap-2.5 px-4 py-2 focus-visible:-outline-offset-2',
        isShown ? 'bg-selected' : 'hovered:bg-hover',
      )}
    >
      <span className="mt-0.5">
        <FileIcon name={name} type="file" />
      </span>
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium [overflow-wrap:anywhere]">
            <NameText name={name} />
          </span>
          <span className="text-sm text-soft [overflow-wrap:anywhere]">
            {TREE_NAME}
            {folderOf(match.path)
              .split('/')
              .filter(Boolean)
              .map((folder, depth) => (
                <Fragment key={depth}>
                  {' / '}
                  <NameText name={folder} />
                </Fragment>
              ))}
          </span>
        </span>
        {match.text !== undefined && (
          <span className="mt-0.5 flex gap-2 font-mono text-sm text-soft">
            <span className="shrink-0">{match.line}</span>
            <span className="truncate text-ink">
              <Marked text={match.text.trim()} q={place.q ?? ''} />
            </span>
          </span>
        )}
      </span>
    </Link>
  );
}

/** A text with the first match highlighted. */
function Marked({ text, q }: { text: string; q: string }) {
  const at = text.toLowerCase().indexOf(q.toLowerCase());
  if (q === '' || at === -1) return text;
  // A match far to the right would be cut off.
  const from = Math.max(0, at - 14);
  return (
    <>
      {from > 0 && '…'}
      {text.slice(from, at)}
      <mark className="rounded-[3px] bg-accent/25 text-ink">{text.slice(at, at + q.length)}</mark>
      {text.slice(at + q.length)}
    </>
  );
}
