import type { NodeProps } from '@xyflow/react';
import { Copy, Pencil, Ungroup } from 'lucide-react';
import { memo, useContext, useEffect, useRef } from 'react';
import { EditingContext } from '../editing/editing-context.ts';
import { CardButton, CardToolbar } from './card-toolbar.tsx';
import { cn } from '../ui/class-names.ts';
import type { FrameNode } from './frames.ts';
import { useInPlaceEditing } from './use-in-place-editing.ts';
import { useKeptText } from './use-kept-text.ts';

/** The frame around the components of a group. It moves them. A double click or F2 edits its name. */
export const FrameCard = memo(function FrameCard({ id, data: { name }, selected }: NodeProps<FrameNode>) {
  const editing = useContext(EditingContext);
  // A new group has no name: it opens for writing.
  const { isOpen, box, open, close, leave } = useInPlaceEditing(
    name === '' && selected === true,
    editing !== undefined,
  );
  return (
    <div
      ref={box}
      onDoubleClick={open}
      className={cn(
        'h-full rounded-xl border-2 border-dashed border-edge/60 bg-accent-soft/40 px-3 py-2',
        selected && 'border-accent',
      )}
    >
      {selected && editing && !isOpen && (
        <CardToolbar id={id}>
          <CardButton label="Rename the group (F2)" onClick={open}>
            <Pencil size={16} />
          </CardButton>
          <CardButton label="Duplicate the group" onClick={() => editing.duplicate(id)}>
            <Copy size={16} />
          </CardButton>
          <CardButton label="Ungroup" onClick={() => editing.ungroup(id)}>
            <Ungroup size={16} />
          </CardButton>
        </CardToolbar>
      )}
      {isOpen && editing ? (
        <NameInput
          name={name}
          onName={(next) => {
            if (next.trim() !== name) editing.renameGroup(id, next.trim());
          }}
          onDone={close}
          onLeave={leave}
        />
      ) : (
        <p className="truncate text-sm font-semibold text-soft">{name === '' ? 'Group' : name}</p>
      )}
    </div>
  );
});

function NameInput({
  name,
  onName,
  onDone,
  onLeave,
}: {
  name: string;
  onName: (name: string) => void;
  onDone: () => void;
  onLeave: () => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  const { written, keep } = useKeptText(name, onName);
  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  return (
    <input
      ref={box}
      aria-label="Name of the group"
      placeholder="Name of the group"
      maxLength={200}
      autoComplete="off"
      defaultValue={name}
      onChange={(event) => {
        written.current = event.target.value;
      }}
      onBlur={() => {
        keep();
        onLeave();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return;
        keep();
        onDone();
      }}
      className="nodrag nopan w-full max-w-64 rounded-sm border border-edge bg-surface px-1.5 text-sm font-semibold text-ink"
    />
  );
}
