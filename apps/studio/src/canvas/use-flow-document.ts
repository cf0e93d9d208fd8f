import type { FlowDocument } from '@croft/flow';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { api } from '../api/api.ts';
import { flowQuery, type FullFlow } from '../api/flows.ts';
import { sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { withPositions } from './graph.ts';
import { createMoveQueue, type Positions } from './move-queue.ts';

/** The document with the moves that the server does not have yet, and how to move more. */
export function useFlowDocument(flow: FullFlow) {
  const client = useQueryClient();
  const { id } = flow;
  const { queryKey } = flowQuery(id);
  const [queue] = useState(() =>
    createMoveQueue({
      async send(positions: Positions, key: string) {
        const base = client.getQueryData(queryKey)?.version ?? flow.version;
        const edits = [{ kind: 'move' as const, positions }];
        const done = await api('POST /api/v1/flows/{id}/edits', { params: { id }, body: { base, edits, key } });
        if (done.between.length > 0) await client.invalidateQueries({ queryKey });
        else
          client.setQueryData(queryKey, (before) => {
            if (before === undefined || before.version >= done.version) return before;
            const document = withPositions(before.document as unknown as FlowDocument, positions);
            return { ...before, version: done.version, updatedAt: done.updatedAt, document: { ...document } };
          });
      },
      onRefused(error) {
        toast({ tone: 'bad', text: `The move was not saved. ${sentenceOf(error)}` });
        void client.invalidateQueries({ queryKey });
      },
    }),
  );
  const moves = useSyncExternalStore(queue.subscribe, queue.get);
  useEffect(() => queue.flush, [queue]);
  useEffect(() => {
    if (moves.save === 'saved') return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [moves.save]);
  // The server sends only documents that it has parsed.
  const stored = flow.document as unknown as FlowDocument;
  const document = useMemo(() => withPositions(stored, moves.positions), [stored, moves.positions]);
  return { document, save: moves.save, move: queue.move };
}
