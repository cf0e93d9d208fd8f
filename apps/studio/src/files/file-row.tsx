import { Ellipsis } from 'lucide-react';
import { memo, type MouseEvent, Suspense, useState } from 'react';
import type { FileEntry } from '../api/files.ts';
import { Link } from '../routing/link.tsx';
import { loadable } from '../routing/loadable.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { cn } from '../ui/class-names.ts';
import { NameText } from '../ui/name-text.tsx';
import { spelledName } from '../ui/unseen-characters.ts';
import { FileIcon } from './file-icon.tsx';
import type { RowActions } from './row-actions.ts';
import { formatBytes, formatExactly, formatWhen } from './format.ts';

const RowMenu = loadable(() => import('./row-menu.tsx').then((m) => m.RowMenu));

interface FileRowProps {
  entry: FileEntry;
  /** In the whole table, from 1, its head included. */
  rowIndex: number;
  isActive: boolean;
  isChosen: boolean;
  isShown: boolean;
  actions: RowActions;
}

/** One entry. A click opens it, with Ctrl selects it, with Shift selects all rows from the last one. */
export const FileRow = memo(function FileRow({ entry, rowIndex, isActive, isChosen, isShown, actions }: FileRowProps) {
  const size = entry.type === 'file' && entry.size !== null ? formatBytes(entry.size) : '';
  const when = entry.modifiedAt ? formatWhen(entry.modifiedAt) : '';
  const tabIndex = isActive ? 0 : -1;
  function onClick(event: MouseEvent) {
    // Clicks in the row's menu bubble up to here in React, although the menu is elsewhere in the DOM.
    const at = event.target as HTMLElement;
    if (at.closest('button, input') || !event.currentTarget.contains(at)) return;
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      if (event.target instanceof HTMLAnchorElement) return;
      actions.onPoint(entry, false);
      actions.onOpen(entry);
      return;
    }
    event.preventDefault();
    if (event.shiftKey) actions.onPoint(entry, true);
    else actions.onToggle(entry);
  }
  return (
    <tr
      tabIndex={tabIndex}
      aria-rowindex={rowIndex}
      data-focus-home={isActive || undefined}
      aria-selected={isChosen}
      onClick={onClick}
      className={cn(
        'group cursor-pointer border-b border-line/70 last:border-0 focus-visible:-outline-offset-2',
        isChosen || isShown ? 'bg-selected' : 'hovered:bg-hover',
      )}
    >
      <td className="py-1 pl-4">
        <Checkbox
          aria-label={`Select ${spelledName(entry.name)}`}
          tabIndex={tabIndex}
          checked={isChosen}
          onCheckedChange={() => actions.onToggle(entry)}
        />
      </td>
      <td className="py-1.5 pr-2">
        <span className="flex items-center gap-2.5">
          <FileIcon name={entry.name} type={entry.type} />
          <span className="min-w-0">
            <span className="flex items-center gap-2">
              <Link
                to={actions.hrefOf(entry)}
                tabIndex={-1}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) event.preventDefault();
                  else actions.onPoint(entry, false);
                }}
                className={cn('block truncate text-ink', entry.type === 'dir' && 'font-medium')}
              >
                <NameText name={entry.name} />
              </Link>
              {entry.note && <Badge>{entry.note}</Badge>}
            </span>
            <span className="block truncate text-xs text-soft sm:hidden">
              {[size, when].filter(Boolean).join(' · ')}
            </span>
          </span>
        </span>
      </td>
      <td className="pr-3.5 text-right text-sm whitespace-nowrap text-soft tabular-nums max-sm:hidden">{size}</td>
      <td className="px-1.5 text-sm whitespace-nowrap text-soft max-sm:hidden">
        {entry.modifiedAt && (
          <time dateTime={entry.modifiedAt} title={formatExactly(entry.modifiedAt)}>
            {when}
          </time>
        )}
      </td>
      <td className="pr-2 text-right">
        <RowMenuButton entry={entry} actions={actions} tabIndex={tabIndex} />
      </td>
    </tr>
  );
});

/**
 * The button of the menu. The menu is loaded and rendered on first use, because a folder may have a thousand rows. The
 * button stays until the menu can open, so that the focus is never lost in between.
 */
function RowMenuButton({ entry, tabIndex, actions }: { actions: RowActions; entry: FileEntry; tabIndex: number }) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <IconButton
      label={`Actions for ${spelledName(entry.name)}`}
      aria-haspopup="menu"
      aria-expanded={false}
      tabIndex={tabIndex}
      className="size-8 text-soft"
      onPointerEnter={() => void RowMenu.preload()}
      onFocus={() => void RowMenu.preload()}
      onClick={() => void RowMenu.preload().then(() => setWanted(true))}
    >
      <Ellipsis size={17} />
    </IconButton>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <RowMenu entry={entry} tabIndex={tabIndex} {...actions} />
    </Suspense>
  );
}
