import { type Edit, type FlowDocument, FlowError } from '@croft/flow';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { announcedQuery, flowQuery, type FullFlow } from '../api/flows.ts';
import { meQuery } from '../api/me.ts';
import { isSaveKey } from '../ui/is-save-key.ts';
import { toast } from '../ui/toast.tsx';
import { createEditServer } from './edit-server.ts';
import { createEditStore } from './edit-store.ts';
import { createUnsentEdits } from './unsent-edits.ts';

/** Carries out edits as one step of undo. Says why where they do not fit, and returns false. */
export type Apply = (edits: readonly Edit[]) => boolean;

/** The document of a flow as this page edits it, and how to edit it. */
export function useFlowEdits(flow: FullFlow) {
  const client = useQueryClient();
  const { id } = flow;
  const [store] = useState(() => {
    const userId = () => client.getQueryData(meQuery.queryKey)?.user?.id;
    const owner = userId();
    return createEditStore({
      version: flow.version,
      // The server sends only documents that it has parsed.
      document: flow.document as unknown as FlowDocument,
      server: createEditServer(id),
      unsent: createUnsentEdits(owner ?? '', id),
      isOwner: () => userId() === owner,
    });
  });
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { data: announced = 0 } = useQuery(announcedQuery(id));
  useEffect(() => store.announce(Math.max(announced, flow.version)), [store, announced, flow.version]);
  useEffect(() => {
    store.flush();
    const flush = () => store.flush();
    const save = (event: KeyboardEvent) => {
      if (!isSaveKey(event)) return;
      event.preventDefault();
      flush();
    };
    // Before fields of the canvas, which keep their keys to themselves.
    document.addEventListener('keydown', save, true);
    document.addEventListener('visibilitychange', flush);
    addEventListener('online', flush);
    return () => {
      document.removeEventListener('keydown', save, true);
      document.removeEventListener('visibilitychange', flush);
      removeEventListener('online', flush);
      flush();
    };
  }, [store]);
  const isSaved = state.save.kind === 'saved';
  // A page that is opened again begins with what this one had.
  useEffect(() => {
    if (!isSaved) return;
    const { queryKey } = flowQuery(id);
    client.setQueryData(queryKey, (before) =>
      before === undefined || before.version >= state.version
        ? before
        : { ...before, version: state.version, document: { ...state.document } },
    );
  }, [client, id, isSaved, state.version, state.document]);
  const isRefused = state.save.kind === 'refused';
  // The session may have ended: the app asks to sign in then, and the edits are sent afterwards.
  useEffect(() => {
    if (isRefused) void client.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [client, isRefused]);
  useEffect(() => {
    if (isSaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSaved]);
  const apply: Apply = (edits) => {
    try {
      store.apply(edits);
      return true;
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      toast({ tone: 'bad', text: error.message });
      return false;
    }
  };
  return { ...state, apply, store };
}
