import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cn } from './class-names.ts';
import { Input } from './input.tsx';

/** One row of a list to pick from. Rows of one group follow each other. */
export interface PickItem {
  readonly id: string;
  readonly title: string;
  readonly about?: string | undefined;
  readonly group?: string | undefined;
  readonly mark?: ReactNode;
  /** At the end of the row, such as the keys of a command. */
  readonly end?: ReactNode;
}

const MAX_ROWS = 200;

/** A search field above a list: type to search, arrows to move, Enter to pick. */
export function PickList({
  label,
  placeholder = label,
  items,
  search,
  onSearch,
  onPick,
  onDrag,
  empty = 'Nothing fits this search.',
  className,
}: {
  label: string;
  placeholder?: string;
  items: readonly PickItem[];
  search: string;
  onSearch: (search: string) => void;
  onPick: (item: PickItem) => void;
  /** Rows can be dragged. */
  onDrag?: ((item: PickItem, data: DataTransfer) => void) | undefined;
  empty?: string;
  className?: string;
}) {
  const id = useId();
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const shown = items.slice(0, MAX_ROWS);
  const at = Math.min(active, shown.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, search]);
  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(Math.max(0, Math.min(shown.length - 1, at + step)));
    } else if (event.key === 'Enter' && shown[at] && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onPick(shown[at]);
    }
  }
  return (
    <div className={cn('grid min-h-0 grid-rows-[auto_minmax(0,1fr)] gap-2', className)}>
      <Input
        role="combobox"
        data-first
        aria-label={label}
        aria-expanded={shown.length > 0}
        aria-controls={shown.length > 0 ? id : undefined}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={search}
        onChange={(event) => {
          setActive(0);
          onSearch(event.target.value);
        }}
        onKeyDown={press}
      />
      {shown.length === 0 ? (
        <p role="status" className="px-2 py-3 text-sm text-soft">
          {empty}
        </p>
      ) : (
        <div ref={list} role="listbox" id={id} aria-label={label} className="min-h-0 overflow-y-auto">
          {groupsOf(shown).map(({ name, rows }, index) => (
            <div key={`${name ?? ''}${index}`} role="group" aria-label={name ?? label}>
              {name !== undefined && (
                <p aria-hidden="true" className="px-2 pt-2.5 pb-1 text-xs font-medium text-soft first-letter:uppercase">
                  {name}
                </p>
              )}
              {rows.map(({ item, row }) => (
                <Row
                  key={item.id}
                  id={`${id}-${row}`}
                  item={item}
                  isActive={row === at}
                  onPick={() => onPick(item)}
                  onDrag={onDrag && ((data) => onDrag(item, data))}
                />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Row({
  id,
  item: { title, about, mark, end },
  isActive,
  onPick,
  onDrag,
}: {
  id: string;
  item: PickItem;
  isActive: boolean;
  onPick: () => void;
  onDrag: ((data: DataTransfer) => void) | undefined;
}) {
  return (
    <div
      role="option"
      tabIndex={-1}
      id={id}
      aria-selected={isActive}
      draggable={onDrag !== undefined}
      onDragStart={(event) => onDrag?.(event.dataTransfer)}
      // The search field keeps the focus.
      onMouseDown={(event) => onDrag === undefined && event.preventDefault()}
      onClick={onPick}
      onKeyDown={(event) => event.key === 'Enter' && onPick()}
      className={cn(
        'flex cursor-pointer items-start gap-2 rounded-md px-2 py-1.5 text-sm hovered:bg-hover',
        isActive && 'bg-selected',
      )}
    >
      {mark && <span className="mt-1.5 shrink-0">{mark}</span>}
      <span className="min-w-0 grow">
        <span className="block font-medium [overflow-wrap:anywhere]">{title}</span>
        {about && <span className="line-clamp-2 text-xs text-soft [overflow-wrap:anywhere]">{about}</span>}
      </span>
      {end && <span className="shrink-0">{end}</span>}
    </div>
  );
}

/** Rows that follow each other with the same group, with their places in the list. */
function groupsOf(items: readonly PickItem[]) {
  const groups: { name: string | undefined; rows: { item: PickItem; row: number }[] }[] = [];
  for (const [row, item] of items.entries()) {
    const last = groups.at(-1);
    if (last && last.name === item.group) last.rows.push({ item, row });
    else groups.push({ name: item.group, rows: [{ item, row }] });
  }
  return groups;
}
