import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronRight, CornerLeftUp, Folder } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { api } from '../api/api.ts';
import { ApiError } from '../api/request.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { pathIn } from './whole-path.ts';

/**
 * The directories of the server's own machine, one level at a time. If the server does not list them, because the page
 * comes from another machine, this renders nothing and the user types the path.
 */
export function DirectoryList({
  path,
  chosen,
  onGo,
}: {
  path: string | undefined;
  /** The path in the text field. */
  chosen: string;
  onGo: (path: string) => void;
}) {
  const begun = useQuery({
    queryKey: ['directories'],
    queryFn: async () => (await api('POST /api/v1/local-access/picking', { body: {} })).picking,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { data: picking, refetch } = begun;
  const listed = useQuery({
    queryKey: ['directories', picking, path],
    queryFn: ({ signal }) =>
      api('POST /api/v1/local-access/directories', { body: { picking: picking ?? '', path }, signal }),
    enabled: picking !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  const isOver = listed.error instanceof ApiError && listed.error.code === 'not_picking';
  useEffect(() => {
    if (isOver) void refetch();
  }, [isOver, refetch]);
  const box = useRef<HTMLDivElement>(null);
  const { data } = listed;
  function go(to: string) {
    // The clicked button is about to be removed. Without this, the focus would be lost with it.
    box.current?.focus({ preventScroll: true });
    onGo(to);
  }
  if (begun.error) return null;
  if (!data && !listed.error) return <SkeletonLines label="Loading the directories" lines={4} />;
  return (
    <div
      ref={box}
      role="group"
      tabIndex={-1}
      aria-label={data ? `Directories in ${spelledName(data.path)}` : 'Directories'}
      className="overflow-clip rounded-md border border-line bg-surface outline-offset-2"
    >
      {data && (
        <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <p role="status" className="min-w-0 grow font-mono text-sm [overflow-wrap:anywhere]">
            <NameText name={data.path} />
          </p>
          {data.parent !== null && (
            <Button small look="quiet" onClick={() => go(data.parent ?? '')}>
              <CornerLeftUp size={16} aria-hidden="true" /> Up
            </Button>
          )}
          {data.path !== chosen && (
            <Button small look="quiet" onClick={() => go(data.path)}>
              Take this one
            </Button>
          )}
        </div>
      )}
      {listed.error && !isOver ? (
        <p role="status" className="px-3 py-2.5 text-sm text-soft">
          {sentenceOf(listed.error)}
        </p>
      ) : (
        <ul
          className={cn(
            'grid max-h-60 content-start overflow-y-auto py-1 transition-opacity',
            listed.isPlaceholderData && 'opacity-60',
          )}
        >
          {data?.directories.map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => go(pathIn(data.path, name))}
                className="group flex min-h-9 w-full items-center gap-2.5 px-3 py-1 text-left hovered:bg-hover focus-visible:-outline-offset-2"
              >
                <Folder aria-hidden="true" size={18} className="shrink-0 fill-accent/15 text-accent" />
                <span className="min-w-0 grow truncate">
                  <NameText name={name} />
                </span>
                <ChevronRight aria-hidden="true" size={16} className="shrink-0 text-soft" />
              </button>
            </li>
          ))}
          {data?.directories.length === 0 && <li className="px-3 py-2 text-sm text-soft">No directories in it.</li>}
          {data?.truncated && (
            <li className="px-3 py-2 text-sm text-soft">More directories exist. Type the path above.</li>
          )}
        </ul>
      )}
    </div>
  );
}
