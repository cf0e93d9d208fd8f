import type { NodeProps } from '@xyflow/react';
import { memo, Suspense } from 'react';
import { loadable } from '../routing/loadable.tsx';
import { cn } from '../ui/class-names.ts';
import type { NoteNode } from './graph.ts';

const MarkdownText = loadable(() => import('../files/markdown-text.tsx').then((m) => m.MarkdownText));

/** A note on the canvas. */
export const NoteCard = memo(function NoteCard({ data: { text }, selected }: NodeProps<NoteNode>) {
  return (
    <div
      className={cn(
        'h-full overflow-hidden rounded-lg border border-warn/30 bg-warn-soft px-3 py-2 text-xs',
        selected && 'ring-2 ring-accent',
      )}
    >
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <MarkdownText path="" text={text} under={2} />
      </Suspense>
    </div>
  );
});
