import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { SearchIn } from '../api/files.ts';
import { IconButton } from '../ui/button.tsx';
import { cn } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import { Segmented } from '../ui/segmented.tsx';

const PAUSE_MS = 250;
const WHERE = [
  { value: 'name', label: 'Names' },
  { value: 'content', label: 'Contents' },
] as const;

/** Searches files while the user types. `/` focuses it from anywhere on the page. */
export function SearchBox({
  q,
  where,
  onSearch,
}: {
  q: string;
  where: SearchIn;
  onSearch: (q: string, where: SearchIn) => void;
}) {
  const [text, setText] = useState(q);
  const input = useRef<HTMLInputElement>(null);
  const search = useRef(onSearch);
  search.current = onSearch;
  // A space at the end of the text that is searched stays: the user types on.
  useEffect(() => setText((now) => (now.trim() === q ? now : q)), [q]);
  useEffect(() => {
    if (text.trim() === q) return undefined;
    const timer = setTimeout(() => search.current(text.trim(), where), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, q, where]);
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest('input, textarea, select, dialog, [role=menu]')) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', jump);
    return () => document.removeEventListener('keydown', jump);
  }, []);
  return (
    <search className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <div className="group relative min-w-0 max-sm:grow sm:w-64">
        <Search
          aria-hidden="true"
          size={16}
          className="pointer-events-none absolute inset-y-0 left-3 my-auto text-soft"
        />
        <input
          ref={input}
          type="search"
          aria-label="Search files"
          placeholder="Search"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            if (text === '') input.current?.blur();
            setText('');
            if (q) onSearch('', where);
          }}
          className="min-h-9 w-full rounded-md border border-edge bg-surface px-9 py-1.5 hovered:border-ink/60 max-sm:min-h-10 max-sm:text-[1rem] [&::-webkit-search-cancel-button]:hidden"
        />
        {text === '' ? (
          <span
            className={cn('pointer-events-none absolute inset-y-0 right-2.5 grid place-items-center max-sm:hidden')}
          >
            <Kbd>/</Kbd>
          </span>
        ) : (
          <IconButton
            label="Clear the search"
            className="absolute inset-y-0 right-0 my-auto size-8"
            onClick={() => {
              setText('');
              onSearch('', where);
              input.current?.focus();
            }}
          >
            <X size={16} />
          </IconButton>
        )}
      </div>
      {(q !== '' || text !== '') && (
        <Segmented
          label="Search in"
          value={where}
          options={WHERE}
          onChange={(value: SearchIn) => onSearch(text.trim(), value)}
        />
      )}
    </search>
  );
}
