import type { Descriptor } from '@croft/flow';
import { X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { portColor } from '../canvas/graph.ts';
import { IconButton } from '../ui/button.tsx';
import { PickList, type PickItem } from '../ui/pick-list.tsx';
import { categoriesOf, searchComponents } from './search-components.ts';

/** The type of dragged components. */
export const DRAGGED = 'application/x-croft-component';

/** The components to add: by name, purpose or port type; Enter or a click adds, and rows can be dragged. */
export function Palette({
  components,
  title,
  onPick,
  onClose,
}: {
  components: readonly Descriptor[];
  /** Where the component comes, for example between two others. */
  title: string;
  onPick: (type: string) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const box = useRef<HTMLElement>(null);
  const items = useMemo(() => itemsOf(components, search), [components, search]);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  return (
    <section
      ref={box}
      aria-label={title}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
      className="absolute inset-y-2 left-2 z-20 flex w-72 max-w-[calc(100%-1rem)] animate-rise flex-col gap-2 rounded-lg border border-line bg-raised p-2 shadow-float"
    >
      <div className="flex items-start justify-between gap-2 pt-1 pl-2">
        <h2 className="min-w-0 text-sm font-semibold [overflow-wrap:anywhere]">{title}</h2>
        <IconButton label="Close" className="-mt-1 size-8" onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <PickList
        label="Search components"
        placeholder="Name, purpose or port type"
        items={items}
        search={search}
        onSearch={setSearch}
        onPick={({ id }) => onPick(id)}
        onDrag={({ id }, data) => {
          data.setData(DRAGGED, id);
          data.effectAllowed = 'copy';
        }}
        empty="No component fits this search. Try one word for what it does, or add TypeScript code and write the step."
        className="grow"
      />
    </section>
  );
}

function itemsOf(components: readonly Descriptor[], search: string): readonly PickItem[] {
  const current = components.filter(({ legacy }) => legacy !== true);
  const found = searchComponents(current, search);
  if (search.trim() !== '') return found.map((each) => itemOf(each));
  return categoriesOf(found).flatMap(({ name, components: list }) => list.map((each) => itemOf(each, name)));
}

const itemOf = ({ type, label, description, outputs }: Descriptor, group?: string): PickItem => ({
  id: type,
  title: label,
  about: description,
  group,
  mark: (
    <span
      aria-hidden="true"
      className="block size-2 rounded-full"
      style={{ background: portColor(outputs[0]?.types ?? []) }}
    />
  ),
});
