import type { FlowDocument } from '@croft/flow';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { api } from '../api/api.ts';
import { messagesQuery, sessionsQuery } from '../api/chats.ts';
import type { ComponentsRegistry } from '../api/flows.ts';
import { RUNS_KEY } from '../api/runs.ts';
import { followRun, queueRun, type RunRequest, startRun } from '../canvas/follow-run.ts';
import { asksPerson } from '../canvas/run-fields.ts';
import { isUnderWay, NO_RUN, STARTING } from '../canvas/run-state.ts';
import { runActions } from '../runs/run-actions.ts';
import { sentenceOf } from '../ui/state.tsx';
import { createChatStore } from './chat-store.ts';
import { questionOf, type Turn } from './turns.ts';
import { answeringNodes } from './transcript.ts';

const TIMEOUT_SECONDS = 600;

/** The latest message, which this page sent or whose run it follows. */
export interface LiveTurn {
  readonly text: string;
  /** Absent until the server has answered. */
  readonly runId?: string;
}

/** Values of a message besides its text. */
export type ChatInputs = NonNullable<RunRequest['inputs']>;

/** One conversation with a flow: sends messages and follows their runs. Each session needs an instance of its own. */
export function useChat(
  { id: flowId, document, registry }: { id: string; document: FlowDocument; registry: ComponentsRegistry },
  session: string,
) {
  const client = useQueryClient();
  const [store] = useState(createChatStore);
  const [live, setLive] = useState<LiveTurn>();
  const [sent, setSent] = useState(0);
  const run = useSyncExternalStore(store.subscribe, store.get);
  const runId = useRef<string>(undefined);
  const leave = useRef<() => void>(undefined);
  const isGone = useRef(false);
  const isRetrying = useRef(false);
  const answering = useRef<ReturnType<typeof answeringNodes>>(new Set());
  const actions = useMemo(() => runActions(store, () => runId.current), [store]);
  const { status } = run;
  const isBusy = isUnderWay(run);
  useEffect(() => {
    isGone.current = false;
    // The page was hidden because the session ended. The events begin again.
    if (runId.current !== undefined && isUnderWay(store.get())) {
      store.begin(answering.current);
      store.set(STARTING);
      leave.current = followRun(runId.current, store);
    }
    return () => {
      isGone.current = true;
      leave.current?.();
    };
  }, [store]);
  useEffect(() => {
    if (runId.current === undefined || status === 'starting') return;
    void client.invalidateQueries({ queryKey: sessionsQuery(flowId).queryKey });
    void client.invalidateQueries({ queryKey: RUNS_KEY });
    // The server stores the answer before the run ends.
    if (!isBusy) void client.invalidateQueries({ queryKey: messagesQuery(flowId, session).queryKey });
  }, [client, flowId, session, status, isBusy]);
  function follow(id: string, text: string) {
    leave.current?.();
    runId.current = id;
    setLive({ text, runId: id });
    // The page may have been left before the server answered.
    if (!isGone.current) leave.current = followRun(id, store);
  }
  function begin(text: string) {
    leave.current?.();
    runId.current = undefined;
    answering.current = answeringNodes(document);
    store.begin(answering.current);
    store.set(STARTING);
    setLive({ text });
    setSent((count) => count + 1);
  }
  /** Returns whether the run began. */
  async function send(text: string, inputs: ChatInputs): Promise<boolean> {
    begin(text);
    const request: RunRequest = { message: text, session, inputs, timeoutSeconds: TIMEOUT_SECONDS, from: 'playground' };
    try {
      follow(await (asksPerson(document, registry) ? queueRun : startRun)(flowId, request), text);
      return true;
    } catch (error) {
      store.set({ ...NO_RUN, status: 'failed', failure: { message: sentenceOf(error) } });
      return false;
    }
  }
  return {
    store,
    run,
    live,
    /** Counts the messages that this page sent or follows. */
    sent,
    isBusy,
    send,
    ...actions,
    /** Follows a run that this page did not start. */
    resume(turn: Turn) {
      begin(questionOf(turn));
      follow(turn.runId, questionOf(turn));
    },
    /** Deletes the messages of a turn, and sends its text again. Does nothing while it does so already. */
    async retry(text: string, turn: Turn | undefined, inputs: ChatInputs) {
      // A second press while the messages are deleted would send the text twice.
      if (isRetrying.current) return false;
      isRetrying.current = true;
      try {
        for (const { id: message } of turn?.messages ?? [])
          await api('DELETE /api/v1/flows/{id}/sessions/{session}/messages/{message}', {
            params: { id: flowId, session, message },
          });
        await client.invalidateQueries({ queryKey: messagesQuery(flowId, session).queryKey });
        return await send(text, inputs);
      } finally {
        isRetrying.current = false;
      }
    },
  };
}

export type Chat = ReturnType<typeof useChat>;
