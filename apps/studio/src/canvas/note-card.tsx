import { type NodeProps, NodeResizer } from '@xyflow/react';
import { memo, Suspense, useContext, useEffect, useRef } from 'react';
import { EditingContext } from '../editing/editing-context.ts';
import { NodeButtons } from '../editing/node-buttons.tsx';
import { loadable } from '../routing/loadable.tsx';
import { cn } from '../ui/class-names.ts';
import { type NoteNode, toDocument } from './graph.ts';
import { useInPlaceEditing } from './use-in-place-editing.ts';
import { useKeptText } from './use-kept-text.ts';

const MarkdownText = loadable(() => import('../files/markdown-text.tsx').then((m) => m.MarkdownText));

/** A note on the canvas. A double click or F2 edits it. */
export const NoteCard = memo(function NoteCard({ id, data: { text }, selected }: NodeProps<NoteNode>) {
  const editing = useContext(EditingContext);
  // A new note has no text: it opens for writing.
  const { isOpen, box, open, close, leave } = useInPlaceEditing(
    text === '' && selected === true,
    editing !== undefined,
  );
  return (
    <div
      ref={box}
      onDoubleClick={open}
      className={cn(
        'h-full overflow-hidden rounded-lg border border-warn/30 bg-warn-soft px-3 py-2 text-xs',
        selected && 'ring-2 ring-accent',
      )}
    >
      {selected && editing && !isOpen && (
        <>
          <NodeResizer
            minWidth={120}
            minHeight={60}
            lineClassName="border-accent!"
            handleClassName="size-2.5! rounded-full! border-accent! bg-surface!"
            onResizeEnd={(_, { x, y, width, height }) => {
              const size = toDocument({ x: width, y: height });
              editing.setNote(id, { size: { width: size.x, height: size.y }, position: toDocument({ x, y }) });
            }}
          />
          <NodeButtons id={id} canConnect={false} />
        </>
      )}
      {isOpen && editing ? (
        <NoteEditor text={text} onText={(next) => editing.setNote(id, { text: next })} onDone={close} onLeave={leave} />
      ) : text === '' ? (
        <p className="text-soft">Empty note</p>
      ) : (
        <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
          <MarkdownText path="" text={text} under={2} />
        </Suspense>
      )}
    </div>
  );
});

/** The text of a note. Escape, Ctrl+Enter and leaving the field keep it, and so does everything that removes the field. */
function NoteEditor({
  text,
  onText,
  onDone,
  onLeave,
}: {
  text: string;
  onText: (text: string) => void;
  onDone: () => void;
  onLeave: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { written, keep } = useKeptText(text, onText);
  useEffect(() => field.current?.focus(), []);
  return (
    <textarea
      ref={field}
      aria-label="Text of the note, in Markdown"
      defaultValue={text}
      placeholder="Write a note. Markdown works."
      onChange={(event) => {
        written.current = event.target.value;
      }}
      onBlur={() => {
        keep();
        onLeave();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        const isDone = event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
        if (!isDone || event.nativeEvent.isComposing) return;
        keep();
        onDone();
      }}
      className="nodrag nowheel nopan h-full w-full resize-none bg-transparent text-sm text-ink outline-none"
    />
  );
}
