import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { FileEntry } from '../api/files.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { cn } from '../ui/class-names.ts';
import { FileRow } from './file-row.tsx';
import type { RowActions, EntryActions } from './row-actions.ts';
import { moveTo, rowForKey, type Selection, toggle, toggleAll } from './selection.ts';
import type { Sort, SortBy } from './sort-entries.ts';
import { partsOf, useVisibleRows } from './use-visible-rows.ts';

/** Content and callbacks of the table. */
export interface FileTableProps extends EntryActions {
  label: string;
  entries: readonly FileEntry[];
  /** Of the folder: more than `entries` if not all are loaded. */
  total: number;
  /** Loads more entries, if there are more. */
  onMore: (() => void) | undefined;
  /** Loads all entries, if there are more. */
  onAll: (() => Promise<readonly FileEntry[]>) | undefined;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** Path of the file in the preview. */
  shown: string | undefined;
  onUp: () => void;
}

const TYPED_MS = 700;
/** More entries are loaded when this many rows below the window are left. */
const LOAD_AHEAD = 200;

/**
 * The entries of a folder as a grid. One row has the focus; arrow keys move it, and letters find a name. Of a long folder, only the
 * rows near the window are rendered.
 */
export function FileTable(props: FileTableProps) {
  const { entries, selection, total, onMore } = props;
  const rows = useMemo(() => entries.map(({ path }) => path), [entries]);
  const body = useRef<HTMLTableSectionElement>(null);
  const active = selection.active ?? rows[0];
  const activeAt = useMemo(() => (active === undefined ? -1 : rows.indexOf(active)), [rows, active]);
  const onKeyDown = useGridKeys(props, rows, active);
  const actions = useRowActions(props, rows);
  const focused = useRef<Element | null>(null);
  // The focus follows the active row if it is in the table, or was in a removed row. A row that is still there loses the focus for a
  // moment while its menu opens.
  useEffect(() => {
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body;
    if (!isLost && !body.current?.contains(document.activeElement)) return;
    const row = body.current?.querySelector<HTMLElement>('tr[tabindex="0"]');
    // A row that was rendered again far away takes the focus back without moving the page.
    if (row && !row.contains(document.activeElement)) row.focus({ preventScroll: isLost });
  }, [active, entries]);
  const seen = useVisibleRows(total, body);
  const isShort = entries.length < total && seen.to + LOAD_AHEAD > entries.length;
  useEffect(() => {
    if (isShort) onMore?.();
  }, [isShort, entries, onMore]);
  return (
    <table
      role="grid"
      aria-label={props.label}
      aria-multiselectable="true"
      aria-rowcount={total + 1}
      className="w-full table-fixed text-left"
    >
      <TableHead {...props} rows={rows} />
      <tbody
        ref={body}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const row = target.closest('tr');
          focused.current = row;
          const path = rows[Number(row?.ariaRowIndex) - 2];
          // Only the active row has buttons that Tab reaches, and the first row is another one once a row appears above.
          if (path !== undefined && path !== selection.active) props.onSelect({ ...selection, active: path });
        }}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget) focused.current = null;
        }}
      >
        {partsOf(total, rows.length, seen, activeAt).flatMap(({ from, to, isGap }) =>
          isGap ? (
            <tr key={`gap-${from}`} aria-hidden="true" style={{ height: (to - from) * seen.rowPx }}>
              <td colSpan={5} className="p-0" />
            </tr>
          ) : (
            entries
              .slice(from, to)
              .map((entry, index) => (
                <FileRow
                  key={entry.path}
                  entry={entry}
                  rowIndex={from + index + 2}
                  isActive={entry.path === active}
                  isChosen={selection.chosen.has(entry.path)}
                  isShown={entry.path === props.shown}
                  actions={actions}
                />
              ))
          ),
        )}
      </tbody>
    </table>
  );
}

function TableHead(props: FileTableProps & { rows: readonly string[] }) {
  const { rows, selection, onSelect, total } = props;
  const chosen = useMemo(
    () => (selection.chosen.size === 0 ? 0 : rows.filter((row) => selection.chosen.has(row)).length),
    [rows, selection.chosen],
  );
  return (
    <thead>
      <tr className="border-b border-line text-sm text-soft">
        <th scope="col" className="w-11 py-1.5 pl-4">
          <Checkbox
            aria-label="Select all"
            checked={chosen === 0 ? false : chosen === total ? true : 'indeterminate'}
            onCheckedChange={() => (props.onAll ? void selectAll(props) : onSelect(toggleAll(selection, rows)))}
          />
        </th>
        <SortHead by="name" name="Name" {...props} />
        <SortHead by="size" name="Size" {...props} className="w-24 max-sm:hidden" right />
        <SortHead by="modified" name="Modified" {...props} className="w-32 max-sm:hidden" />
        <th scope="col" className="w-12">
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

/** Selects every entry of the folder, also those that are not loaded. */
async function selectAll({ entries, onAll, onSelect, selection }: FileTableProps) {
  const all = (await onAll?.()) ?? entries;
  onSelect({ ...selection, chosen: new Set(all.map(({ path }) => path)) });
}

/** Callbacks for rows, always the same object, so that only changed rows render again. */
function useRowActions(props: FileTableProps, rows: readonly string[]): RowActions {
  const now = useRef({ props, rows });
  now.current = { props, rows };
  return useMemo(
    () => ({
      hrefOf: (entry) => now.current.props.hrefOf(entry),
      onOpen: (entry) => now.current.props.onOpen(entry),
      onEdit: (entry) => now.current.props.onEdit(entry),
      onRename: (entry) => now.current.props.onRename(entry),
      onDelete: (entries) => now.current.props.onDelete(entries),
      onDownload: (entry) => now.current.props.onDownload(entry),
      onToggle: ({ path }) => now.current.props.onSelect(toggle(now.current.props.selection, path)),
      onPoint: ({ path }, extend) =>
        now.current.props.onSelect(moveTo(now.current.props.selection, now.current.rows, path, extend)),
    }),
    [],
  );
}

function useGridKeys(props: FileTableProps, rows: readonly string[], active: string | undefined) {
  const typed = useRef({ text: '', at: 0 });
  return (event: KeyboardEvent<HTMLElement>) => {
    const { selection, onSelect, entries } = props;
    // Keys in a row's button or checkbox belong to that control.
    if ((event.target as HTMLElement).closest('button, a, input')) return;
    const entry = entries.find(({ path }) => path === active);
    const command = event.ctrlKey || event.metaKey;
    const next = event.altKey || command ? undefined : rowForKey(event.key, rows, active);
    const letter = event.key.length === 1 && event.key !== ' ' && event.key !== '/' && !command && !event.altKey;
    if (!letter) typed.current = { text: '', at: 0 };
    if (next !== undefined) onSelect(moveTo({ ...selection, active }, rows, next, event.shiftKey));
    else if (event.key === 'Enter' && entry) props.onOpen(entry);
    else if (event.key === ' ' && active !== undefined && !command) onSelect(toggle(selection, active));
    else if (command && event.key.toLowerCase() === 'a') void selectAll(props);
    else if (event.key === 'Escape' && selection.chosen.size > 0) onSelect({ ...selection, chosen: new Set() });
    else if (event.key === 'F2' && entry) props.onRename(entry);
    else if ((event.key === 'Delete' || (event.metaKey && event.key === 'Backspace')) && entry)
      props.onDelete(selection.chosen.size > 0 ? entries.filter(({ path }) => selection.chosen.has(path)) : [entry]);
    else if ((event.key === 'Backspace' && !command) || (event.altKey && event.key === 'ArrowUp')) props.onUp();
    else if (letter) {
      const now = Date.now();
      const text = (now - typed.current.at < TYPED_MS ? typed.current.text : '') + event.key.toLowerCase();
      typed.current = { text, at: now };
      const found = entries.find(({ name }) => name.toLowerCase().startsWith(text));
      if (found) onSelect(moveTo(selection, rows, found.path, false));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function SortHead({
  by,
  name,
  sort,
  onSort,
  className,
  right = false,
}: FileTableProps & { by: SortBy; name: string; className?: string; right?: boolean }) {
  const isOn = sort.by === by;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isOn ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={cn('py-1.5 font-normal', className)}
    >
      <button
        type="button"
        onClick={() => onSort({ by, descending: isOn ? !sort.descending : by !== 'name' })}
        className={cn(
          'inline-flex min-h-7 items-center gap-1 rounded-sm px-1.5 hovered:text-ink',
          right && 'float-right mr-2 flex-row-reverse',
          isOn && 'text-ink',
        )}
      >
        {name}
        {isOn && <Arrow aria-hidden="true" size={14} />}
      </button>
    </th>
  );
}
