import { cn } from '../ui/class-names.ts';

/** A row of the menu of the composer. */
export interface MenuEntry {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Writes it into the composer. */
  readonly take: () => void;
}

/** Commands, or components and fields, above the composer. The composer keeps the focus and handles the keys. */
export function ComposerMenu({
  id,
  entries,
  active,
}: {
  id: string;
  entries: readonly MenuEntry[];
  active: MenuEntry | undefined;
}) {
  return (
    <div
      role="listbox"
      id={id}
      aria-label="Suggestions"
      className="absolute inset-x-3 bottom-full z-10 -mb-2 max-h-60 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
    >
      {entries.map((entry, index) => (
        <div
          key={entry.id}
          role="option"
          tabIndex={-1}
          id={`${id}-${index}`}
          aria-selected={entry === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={entry.take}
          onKeyDown={(event) => event.key === 'Enter' && entry.take()}
          className={cn(
            'cursor-pointer rounded-md px-2 py-1 text-sm hovered:bg-hover',
            entry === active && 'bg-selected',
          )}
        >
          <span className="block font-medium [overflow-wrap:anywhere]">{entry.title}</span>
          <span className="block text-xs text-soft [overflow-wrap:anywhere]">{entry.about}</span>
        </div>
      ))}
    </div>
  );
}
