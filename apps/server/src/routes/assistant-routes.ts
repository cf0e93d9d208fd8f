import type { AssistantEvent } from '@croft/assistant';
import type { Registry } from '@croft/flow';
import { parseLastEventId } from '@croft/event-log';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { answerTurn, showRefusal } from '../assistant/answer-turn.ts';
import { createFlowCanvas } from '../assistant/flow-canvas.ts';
import { followTurn } from '../assistant/follow-turn.ts';
import type { LiveTurn, LiveTurns } from '../assistant/live-turns.ts';
import type { AssistantMetrics } from '../assistant/metrics.ts';
import type { OpenTurnOptions } from '../assistant/open-turn.ts';
import { proposalsOf } from '../assistant/proposals.ts';
import { headlessEnd, runHeadless } from '../assistant/run-headless.ts';
import { revertFiles } from '../assistant/revert-files.ts';
import { startTurn } from '../assistant/start-turn.ts';
import type { StoredTurn, TurnStore } from '../assistant/turn-store.ts';
import { assistantRoutes } from '../contract/assistant-routes.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { restoreFlow } from '../flows/restore-points.ts';
import { revertOwnEdit } from '../flows/undo-edit.ts';
import { onClosed } from '../on-closed.ts';
import { notFound, Problem } from '../problem.ts';
import { type Route, route } from './route.ts';
import { createStreamLimit } from './stream-limit.ts';

export interface AssistantRouteOptions
  extends Pick<OpenTurnOptions, 'storage' | 'events' | 'flowComponents' | 'variables'> {
  readonly registry: Registry;
  readonly liveTurns: LiveTurns;
  readonly metrics: AssistantMetrics;
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly url: () => string;
  readonly turnStore: TurnStore;
}

/** Messages to the assistant of a flow, and decisions about what it did. */
export function makeAssistantRoutes(options: AssistantRouteOptions): Route[] {
  const { events, flowComponents, files: trees, liveTurns, metrics, storage, turnStore, url } = options;
  const followers = createStreamLimit();
  const requireLive = (userId: string, id: string): LiveTurn => {
    const turn = liveTurns.find(userId, id);
    if (turn === undefined) throw notFound('You have no such turn, or it ended more than five minutes ago.');
    return turn;
  };
  const requireStored = async (userId: string, id: string): Promise<StoredTurn> => {
    const turn = await turnStore.find(userId, id);
    if (turn === undefined) throw notFound('You have no such turn.');
    return turn;
  };
  /** Stops a turn that still works, and waits for what it stores. */
  const stopTurn = async (userId: string, id: string) => {
    const live = liveTurns.find(userId, id);
    live?.cancel();
    await live?.ended;
  };
  const canvasOf = ({ userId, flowId, id }: StoredTurn, message: string, key?: string) =>
    createFlowCanvas({
      storage,
      events,
      flowComponents,
      userId,
      flowId,
      turnId: id,
      message,
      ...(key !== undefined && { key }),
    });
  const revertCanvas = async ({ userId, flowId, id }: StoredTurn): Promise<number> => {
    const { version: base } = await requireFlow(await storage(), userId, flowId);
    const change = await revertOwnEdit(await storage(), { userId, flowId, base, kind: 'undo', turnId: id });
    sendFlowChange(events, change.notice);
    return change.version;
  };
  return [
    route(assistantRoutes.assistStream, async ({ caller, body, outgoing }) => {
      followTurn(await startTurn(options, caller, body), outgoing, undefined);
      return RESPONSE_ALREADY_SENT;
    }),
    route(assistantRoutes.assist, async ({ caller, body, outgoing }) => {
      const turn = await startTurn(options, caller, body);
      onClosed(outgoing, turn.attend());
      endAtQuestion(turn);
      const end = await turn.ended;
      const stored = await turnStore.find(caller.userId, turn.id);
      const proposals = proposalsOf(stored?.events ?? []).open.map(({ id }) => id);
      return { turn_id: turn.id, session_id: turn.sessionId, end: { ...end }, proposals };
    }),
    route(assistantRoutes.assistRun, async ({ caller, body, outgoing }) => {
      const { turn } = await runHeadless(options, caller, body);
      followTurn(turn, outgoing, undefined, (data) => headlessEnd(turn, url(), data));
      return RESPONSE_ALREADY_SENT;
    }),
    route(assistantRoutes.readAssistantMetrics, ({ context }) =>
      context.body(metrics.text(), 200, {
        'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        'Cache-Control': 'no-store',
      }),
    ),
    route(assistantRoutes.followTurn, ({ caller, params, query, incoming, outgoing }) => {
      const lastEventId = parseLastEventId(incoming.headers['last-event-id'] ?? query.lastEventId);
      const turn = requireLive(caller.userId, params.id);
      followers.open(caller.userId, outgoing);
      followTurn(turn, outgoing, lastEventId);
      return RESPONSE_ALREADY_SENT;
    }),
    route(assistantRoutes.cancelTurn, ({ caller, params }) => {
      requireLive(caller.userId, params.id).cancel();
      return { id: params.id };
    }),
    route(assistantRoutes.answerTurn, ({ caller, params, body }) =>
      answerTurn(options, caller.userId, params.id, body),
    ),
    route(assistantRoutes.revertTurn, async ({ caller, params }) => {
      await stopTurn(caller.userId, params.id);
      const turn = await requireStored(caller.userId, params.id);
      const files = await revertFiles(trees, caller, turn);
      const version = await revertCanvas(turn).catch((error: unknown) => {
        // A turn may have changed files only.
        if (!(error instanceof Problem) || error.code !== 'not_undoable' || files.length === 0) throw error;
        if (files.some(({ reverted }) => reverted)) return null;
        const why = [...new Set(files.map(({ problem }) => problem))].join('; ');
        throw new Problem(409, 'changed', `Not taken back: ${why}.`);
      });
      return { id: turn.id, version, files };
    }),
    route(assistantRoutes.rewindTurn, async ({ caller, params, body }) => {
      const turn = await requireStored(caller.userId, params.id);
      const after = (await turnStore.turns(turn)).filter(({ startedAt }) => startedAt >= turn.startedAt);
      for (const { id } of after) await stopTurn(caller.userId, id);
      const points = (await turnStore.turns(turn)).filter(({ startedAt }) => startedAt >= turn.startedAt);
      const point = points.find(({ restorePointId }) => restorePointId !== null)?.restorePointId ?? null;
      let version: number | null = null;
      if (body.what !== 'chat' && point !== null) {
        const { userId, flowId } = turn;
        await canvasOf(turn, 'a rewind').checkpoint().catch(showRefusal);
        const { version: base } = await requireFlow(await storage(), userId, flowId);
        const change = await restoreFlow(await storage(), { userId, flowId, id: point, base });
        sendFlowChange(events, change.notice);
        version = change.version;
      }
      const removed = body.what === 'canvas' ? 0 : await turnStore.remove(turn, turn.startedAt);
      return { id: turn.id, message: turn.message, version, removed };
    }),
  ];
}

const UNANSWERED =
  'The assistant has a question, which this request cannot answer. Send the message to /api/v1/agentic/assist/stream.';

/** Ends a turn that asks, because its client waits for the end. */
function endAtQuestion(turn: LiveTurn): void {
  const take = ({ data }: { readonly data: string }) => {
    if ((JSON.parse(data) as AssistantEvent).event === 'question') turn.cancelBecause(UNANSWERED);
    return true;
  };
  const missed = turn.log.after(turn.firstEventId);
  if (missed !== 'gone') missed.forEach(take);
  void turn.ended.then(turn.log.follow({ take, end: () => undefined }));
}
