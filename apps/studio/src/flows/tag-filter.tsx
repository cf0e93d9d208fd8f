import { Tag, X, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
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
            <FilterButton isChosen={isChosen} icon={<Tag size={13} />} onPress={() => onChoose(isChosen ? '' : name)}>
              <span className="truncate">{name}</span>
              {!isChosen && (
                <span className="text-xs">
                  {flows}
                  <span className="sr-only"> {flows === 1 ? 'flow' : 'flows'}</span>
                </span>
              )}
            </FilterButton>
          </li>
        );
      })}
    </ul>
  );
}

/** A press shows only flows that run by themselves; another press shows all again. */
export function TriggeredFilter({ isChosen, onChoose }: { isChosen: boolean; onChoose: (isChosen: boolean) => void }) {
  return (
    <FilterButton isChosen={isChosen} icon={<Zap size={13} />} onPress={() => onChoose(!isChosen)}>
      Runs by itself
    </FilterButton>
  );
}

function FilterButton({
  isChosen,
  icon,
  onPress,
  children,
}: {
  isChosen: boolean;
  icon: ReactNode;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onPress}
      className={cn(
        'inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border px-3 text-sm max-sm:min-h-9',
        isChosen
          ? 'border-accent bg-accent-soft font-medium text-accent-strong'
          : 'border-line bg-surface text-soft hovered:bg-hover hovered:text-ink',
      )}
    >
      <span aria-hidden="true" className="shrink-0">
        {icon}
      </span>
      {children}
      {isChosen && <X size={13} aria-hidden="true" className="shrink-0" />}
    </button>
  );
}
