import { Tag, X } from 'lucide-react';
import { cn } from '../ui/class-names.ts';

/** The tags of the flows. A press shows the flows of one tag; another press shows all again. */
export function TagFilter({
  tags,
  chosen,
  onChoose,
}: {
  tags: readonly { readonly name: string; readonly flows: number }[];
  /** Empty: all flows are shown. */
  chosen: string;
  onChoose: (tag: string) => void;
}) {
  const isKnown = chosen === '' || tags.some(({ name }) => name === chosen);
  const shown = isKnown ? tags : [{ name: chosen, flows: 0 }, ...tags];
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1.5">
      {shown.map(({ name, flows }) => {
        const isChosen = name === chosen;
        return (
          <li key={name} className="min-w-0">
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => onChoose(isChosen ? '' : name)}
              className={cn(
                'inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border px-3 text-sm max-sm:min-h-9',
                isChosen
                  ? 'border-accent bg-accent-soft font-medium text-accent-strong'
                  : 'border-line bg-surface text-soft hovered:bg-hover hovered:text-ink',
              )}
            >
              <Tag size={13} aria-hidden="true" className="shrink-0" />
              <span className="truncate">{name}</span>
              {isChosen ? (
                <X size={13} aria-hidden="true" className="shrink-0" />
              ) : (
                <span className="text-xs">
                  {flows}
                  <span className="sr-only"> {flows === 1 ? 'flow' : 'flows'}</span>
                </span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
