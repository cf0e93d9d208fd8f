import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/state.tsx';

/** A card with a list: its rows, or that they load, cannot be shown, or that there are none. */
export function ListCard<Item>({
  title,
  about,
  things,
  items,
  error,
  onRetry,
  add,
  icon,
  emptyText,
  row,
  children,
}: {
  title: string;
  about: string;
  /** The word for the rows in a sentence, such as `keys`. */
  things: string;
  /** Undefined while they are not loaded. */
  items: readonly Item[] | undefined;
  error: Error | null;
  onRetry: () => void;
  /** The button that adds a row: in the head, or in the middle of an empty list. */
  add: ReactNode;
  icon: ReactNode;
  emptyText?: string;
  row: (item: Item) => ReactNode;
  children?: ReactNode;
}) {
  return (
    <Card aria-label={title}>
      <CardHead title={title} about={about} action={items && items.length > 0 ? add : undefined} />
      {items ? (
        items.length === 0 ? (
          <EmptyState icon={icon} title={`No ${things} yet`} action={add}>
            {emptyText}
          </EmptyState>
        ) : (
          <ul className="border-t border-line">{items.map(row)}</ul>
        )
      ) : (
        <NotLoaded what={things} error={error} onRetry={onRetry} lines={4} />
      )}
      {children}
    </Card>
  );
}

/** A row of a list card: what it is, and its buttons. */
export function ListRow({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-0">
      <div className="min-w-0 flex-[1_1_14rem]">{children}</div>
      <span className="flex gap-2">{actions}</span>
    </li>
  );
}

/** The buttons of a row that can be changed and deleted. */
export function ChangeAndDelete({
  name,
  change,
  onChange,
  onDelete,
}: {
  name: string;
  /** The text of the first button, such as `Edit`. */
  change: string;
  onChange: () => void;
  onDelete: () => void;
}) {
  return (
    <>
      <Button small aria-label={`${change} ${name}`} onClick={onChange}>
        {change}
      </Button>
      <Button small aria-label={`Delete ${name}`} onClick={onDelete}>
        Delete
      </Button>
    </>
  );
}
