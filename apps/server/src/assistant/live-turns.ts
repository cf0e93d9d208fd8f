import { randomUUID } from 'node:crypto';
import { type AssistantEvent, hideSecrets, isEnd, runTurn, type Turn } from '@croft/assistant';
import { createEventLog, type EventLog } from '@croft/event-log';
import type { Log } from '../log.ts';
import { createOneAtATime } from '../one-at-a-time.ts';
import { problem } from '../routes/route.ts';
import type { AssistantMetrics } from './metrics.ts';
import type { NewTurn } from './open-turn.ts';
import type { TurnStore } from './turn-store.ts';

/** A turn of this process, under way or ended a few minutes ago. */
export interface LiveTurn {
  readonly id: string;
  readonly userId: string;
  readonly flowId: string;
  readonly sessionId: string;
  readonly continues: Turn['continues'];
  /** The id of the event before the first one. */
  readonly firstEventId: string;
  readonly log: EventLog;
  readonly isOver: () => boolean;
  /** The last event of the turn's own work. */
  readonly ended: Promise<AssistantEvent>;
  /** Counts a reader until the returned function is called. A turn without readers ends after five minutes. */
  attend(): () => void;
  /** The id of the question that waits for an answer. */
  readonly openQuestion: () => string | undefined;
  /** Answers the open question. Returns false where no question has this id. */
  answer(questionId: string, choice: string): boolean;
  /** Adds an event after the end, such as a decision about a proposal. */
  add(event: AssistantEvent): void;
  cancel(): void;
  /** Cancels it, and says why to the user. */
  cancelBecause(reason: string): void;
  /** The model that answers, and whether the flow was changed, as far as the turn has come. */
  summary(): { readonly provider: string; readonly model_name: string; readonly flow_changed: boolean };
}

/** Turns of the assistant in this process. */
export interface LiveTurns {
  /** Starts a turn. Its id is known before a model is asked. @throws Problem `busy` */
  start(request: Omit<NewTurn, 'id' | 'ask' | 'signal'>): LiveTurn;
  find(userId: string, id: string): LiveTurn | undefined;
  /** Runs the work when the earlier decisions about a turn have been carried out. */
  decide<Result>(userId: string, id: string, work: () => Promise<Result>): Promise<Result>;
  /** The users with turns that have not ended. */
  users(): string[];
  cancelFor(userId: string): void;
  /** Cancels all turns and waits for their ends. */
  close(): Promise<void>;
}

export interface LiveTurnOptions {
  /** Makes the value that the assistant works on. */
  readonly open: (request: NewTurn) => Promise<Turn>;
  readonly log: Pick<Log, 'error'>;
  readonly turnStore: Pick<TurnStore, 'begin' | 'end'>;
  /** Absent in tests. */
  readonly metrics?: Pick<AssistantMetrics, 'observe'>;
  /** Tests set it. */
  readonly unattendedMs?: number;
}

/** A turn that no client follows ends after this time. */
export const UNATTENDED_MS = 5 * 60_000;
const UNATTENDED = 'The turn ended, because no page followed it for five minutes. Its changes are kept.';
const KEPT_EVENTS = { maxEvents: 10_000, maxBytes: 4 * 1024 * 1024 };
const KEPT_MS = 5 * 60_000;
const MAX_ENDED = 200;
const MAX_OF_USER = 4;
const MAX_OF_SERVER = 100;

/** Turns run on when their client leaves; only Stop, five minutes without a reader and the end of the server stop them. */
export function createLiveTurns(options: LiveTurnOptions): LiveTurns {
  const turns = new Map<string, LiveTurn>();
  const deciding = createOneAtATime();
  const ended: string[] = [];
  const forget = (id: string) => {
    turns.get(id)?.log.close('closed');
    turns.delete(id);
  };
  const keepAWhile = (id: string) => {
    ended.push(id);
    if (ended.length > MAX_ENDED) forget(ended.shift() as string);
    setTimeout(() => forget(id), KEPT_MS).unref();
  };
  const requireRoom = (userId: string, flowId: string, sessionId: string) => {
    const open = [...turns.values()].filter(({ isOver }) => !isOver());
    const own = open.filter((turn) => turn.userId === userId);
    if (own.some((turn) => turn.flowId === flowId && turn.sessionId === sessionId))
      throw problem('busy', 'The assistant still works on your last message. Stop it, or wait for its end.');
    const soon = { 'Retry-After': '5' };
    if (own.length >= MAX_OF_USER)
      throw problem(
        'busy',
        `The assistant works on ${own.length} of your messages already. Wait for one to end.`,
        soon,
      );
    if (open.length >= MAX_OF_SERVER)
      throw problem('busy', 'The assistant works on too many messages of all users. Try again in a moment.', soon);
  };
  return {
    start(request) {
      const { caller, flowId, sessionId } = request;
      requireRoom(caller.userId, flowId, sessionId);
      const turn = startTurn({ ...request, id: randomUUID() }, options);
      turns.set(turn.id, turn);
      void turn.ended.then(() => keepAWhile(turn.id));
      return turn;
    },
    find(userId, id) {
      const turn = turns.get(id);
      return turn?.userId === userId ? turn : undefined;
    },
    decide: (userId, id, work) => deciding.take(JSON.stringify([userId, id]), work),
    users: () => [...turns.values()].flatMap(({ isOver, userId }) => (isOver() ? [] : [userId])),
    cancelFor(userId) {
      for (const turn of turns.values()) if (turn.userId === userId) turn.cancel();
    },
    async close() {
      for (const turn of turns.values()) turn.cancel();
      await Promise.all([...turns.values()].map((turn) => turn.ended));
      for (const id of turns.keys()) forget(id);
    },
  };
}

interface OpenQuestion {
  readonly id: string;
  resolve(choice: string): void;
}

function startTurn(request: Omit<NewTurn, 'ask' | 'signal'>, options: LiveTurnOptions): LiveTurn {
  const stop = new AbortController();
  const log = createEventLog(KEPT_EVENTS);
  let question: OpenQuestion | undefined;
  let isOver = false;
  let readers = 0;
  let timer: NodeJS.Timeout | undefined;
  const expect = () => {
    clearTimeout(timer);
    if (readers === 0 && !isOver)
      timer = setTimeout(() => stop.abort(UNATTENDED), options.unattendedMs ?? UNATTENDED_MS).unref();
  };
  let summary = { provider: '', model_name: '', flow_changed: false };
  const add = (event: AssistantEvent) => {
    if (event.event === 'turn') {
      const [provider = '', ...name] = event.model.split('/');
      summary = { ...summary, provider, model_name: name.join('/') };
    }
    if (event.event === 'flow_update' && 'version' in event && event.version !== undefined)
      summary = { ...summary, flow_changed: true };
    options.metrics?.observe(request, event);
    log.append({ data: JSON.stringify(event) });
  };
  const ask: Turn['ask'] = ({ id, choices, default: byDefault }, signal) =>
    new Promise((resolve, reject) => {
      if (request.headless === true) return resolve(byDefault ?? choices[0] ?? '');
      if (signal.aborted) reject(signal.reason as Error);
      question = { id, resolve };
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  const firstEventId = log.lastId;
  const ended = work({ ...request, ask, signal: stop.signal }, options, add).finally(() => {
    isOver = true;
    clearTimeout(timer);
  });
  expect();
  return {
    id: request.id,
    userId: request.caller.userId,
    flowId: request.flowId,
    sessionId: request.sessionId,
    continues: request.continues,
    firstEventId,
    log,
    isOver: () => isOver,
    ended,
    attend() {
      readers++;
      clearTimeout(timer);
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        readers--;
        expect();
      };
    },
    openQuestion: () => (isOver ? undefined : question?.id),
    answer(questionId, choice) {
      if (question?.id !== questionId || isOver) return false;
      const { resolve } = question;
      question = undefined;
      resolve(choice);
      return true;
    },
    add,
    cancel: () => stop.abort(),
    cancelBecause: (reason) => stop.abort(reason),
    summary: () => summary,
  };
}

/** Runs a turn to its end and stores it. Never rejects: a failure is the last event. */
async function work(
  request: NewTurn,
  options: LiveTurnOptions,
  add: (event: AssistantEvent) => void,
): Promise<AssistantEvent> {
  const { log, turnStore } = options;
  const { id, flowId, sessionId, caller } = request;
  const events: AssistantEvent[] = [];
  const end = async (last: AssistantEvent) => {
    events.push(last);
    await turnStore
      .end(id, events)
      .catch((error: unknown) => log.error({ err: error, turn: id }, 'the end of a turn could not be stored'));
    // After it is stored, so that a reader who saw the end finds the turn in its conversation.
    add(last);
    return last;
  };
  try {
    const turn = await options.open(request);
    const message = hideSecrets(request.message, turn.secrets);
    await turnStore.begin({ id, userId: caller.userId, flowId, sessionId, message });
    for await (const event of runTurn(turn)) {
      if (isEnd(event)) return await end(event);
      if (event.event !== 'token') events.push(event);
      add(event);
    }
  } catch (error) {
    log.error({ err: error, turn: id }, 'a turn of the assistant failed');
  }
  return end({
    event: 'error',
    message: 'The assistant could not start. Send the message again.',
    usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    duration_seconds: 0,
    status_line: 'Nothing was changed · not run.',
  });
}
