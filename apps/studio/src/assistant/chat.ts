import { type AssistantEvent, EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant/events';
import { landed, reduceTurn } from './reduce-turn.ts';
import { changedCanvas, isUnderWay, newTurn, type TurnView } from './turn-view.ts';
import { canRevert, isUndo, undoneBy } from './undone-turns.ts';

/** A message of the user with the turns that answer it: the first one, and those that continue it. */
export interface Exchange {
  readonly kind: 'exchange';
  readonly key: string;
  readonly message: string;
  readonly turns: readonly TurnView[];
}

/** A line of the panel itself, such as an answer to a command. */
export interface Note {
  readonly kind: 'note';
  readonly key: string;
  readonly text: string;
}

/** One conversation as the panel shows it. */
export interface Chat {
  readonly sessionId: string;
  readonly entries: readonly (Exchange | Note)[];
}

/** A turn as the server keeps it. */
export interface StoredTurn {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly reply: string;
  readonly events: readonly unknown[];
  readonly can_rewind_canvas: boolean;
}

/** Everything that happens to a conversation. `key` names a turn. */
export type ChatAction =
  | { readonly kind: 'opened'; readonly sessionId: string; readonly turns: readonly StoredTurn[] }
  /** `continues`: the turn goes on with the message before; no new message is shown. */
  | {
      readonly kind: 'sent';
      readonly key: string;
      readonly message: string;
      readonly continues?: boolean;
    }
  /** The server has the edits of the page; the turn begins with this version. */
  | { readonly kind: 'saved'; readonly key: string; readonly version: number }
  | { readonly kind: 'received'; readonly key: string; readonly id: string; readonly event: AssistantEvent }
  /** The server took the message. */
  | { readonly kind: 'named'; readonly key: string; readonly id: string }
  /** The server did not take the message. */
  | { readonly kind: 'refused'; readonly key: string; readonly message: string }
  | {
      readonly kind: 'decided';
      readonly key: string;
      readonly id: string;
      readonly choice: string;
      readonly version: number | null;
    }
  | { readonly kind: 'refining'; readonly key: string }
  /** A flow that was put onto the canvas can be put there again. */
  | { readonly kind: 'reopened'; readonly key: string }
  /** The user carried out a proposal by an edit. `id` names the proposal. */
  | { readonly kind: 'landed'; readonly key: string; readonly id: string }
  | { readonly kind: 'reverted' | 'restored'; readonly key: string }
  /** The server has nothing of the turn left to revert. */
  | { readonly kind: 'undone'; readonly key: string }
  /** The conversation goes back to before a message, or the canvas does. */
  | { readonly kind: 'removed' | 'rewound'; readonly key: string }
  | { readonly kind: 'noted'; readonly key: string; readonly text: string };

export const newChat = (sessionId: string): Chat => ({ sessionId, entries: [] });

/** Adds an action to a conversation. Pure: every state of the panel's messages comes from here. */
export function reduceChat(chat: Chat, action: ChatAction): Chat {
  switch (action.kind) {
    case 'opened':
      return { sessionId: action.sessionId, entries: storedEntries(action.turns) };
    case 'noted':
      return { ...chat, entries: [...chat.entries, { kind: 'note', key: action.key, text: action.text }] };
    case 'sent':
      return {
        ...chat,
        entries: withTurn(
          chat.entries.map((each) => settled(each, action)),
          action,
        ),
      };
    case 'removed':
      return { ...chat, entries: chat.entries.slice(0, indexOf(chat, action.key)) };
    case 'rewound':
      return {
        ...chat,
        entries: chat.entries.map((each, at) => (at < indexOf(chat, action.key) ? each : undone(each))),
      };
    case 'reopened':
      // After another message the decision stays.
      if (indexOf(chat, action.key) < chat.entries.length - 1) return chat;
      return changeTurn(chat, action.key, reopened);
    case 'received': {
      const next = changeTurn(chat, action.key, (turn) => reduceAction(turn, action));
      return isUndo(action.event) ? withUndone(next, action.key) : next;
    }
    default:
      return changeTurn(chat, action.key, (turn) => reduceAction(turn, action));
  }
}

function reduceAction(
  turn: TurnView,
  action: Exclude<ChatAction, { kind: 'opened' | 'noted' | 'sent' | 'removed' | 'rewound' | 'reopened' }>,
): TurnView {
  switch (action.kind) {
    case 'named':
      return { ...turn, id: action.id };
    case 'saved':
      return { ...turn, startVersion: action.version };
    case 'received':
      return reduceTurn(turn, action.event, action.id);
    case 'refused':
      return { ...turn, status: 'error', failure: { message: action.message } };
    case 'decided': {
      const { id, choice, version } = action;
      return reduceTurn(turn, { event: 'proposal_decided', id, choice, ...(version !== null && { version }) });
    }
    case 'refining':
      return turn.plan?.status === 'pending' ? { ...turn, plan: { ...turn.plan, status: 'refining' } } : turn;
    case 'landed':
      return landed(turn, action.id);
    case 'reverted':
    case 'restored':
      return { ...turn, isReverted: action.kind === 'reverted' };
    case 'undone':
      return asUndone(turn);
  }
}

function changeTurn(chat: Chat, key: string, change: (turn: TurnView) => TurnView): Chat {
  const entries = chat.entries.map((entry) => {
    if (entry.kind === 'note' || !entry.turns.some((turn) => turn.key === key)) return entry;
    return { ...entry, turns: entry.turns.map((turn) => (turn.key === key ? change(turn) : turn)) };
  });
  return { ...chat, entries };
}

const asUndone = (turn: TurnView): TurnView => ({ ...turn, isReverted: true, isUndone: true });

/** Marks the turn that a turn has just undone. */
function withUndone(chat: Chat, key: string): Chat {
  const turn = turnOf(chat, key);
  const found = turn && undoneBy(turn, turnsOf(chat));
  return found ? changeTurn(chat, found.key, asUndone) : chat;
}

const reopened = (turn: TurnView): TurnView =>
  turn.flow?.status === 'applied' ? { ...turn, flow: { ...turn.flow, status: 'pending' } } : turn;

type Entry = Chat['entries'][number];

/** The place of the message with a turn; behind the end where there is none. */
function indexOf({ entries }: Chat, key: string): number {
  const at = entries.findIndex((entry) => entry.kind === 'exchange' && entry.turns.some((turn) => turn.key === key));
  return at === -1 ? entries.length : at;
}

const undone = (entry: Entry): Entry =>
  entry.kind === 'note'
    ? entry
    : { ...entry, turns: entry.turns.map((turn) => ({ ...turn, isReverted: changedCanvas(turn) })) };

function withTurn(
  entries: readonly Entry[],
  { key, message, continues }: Extract<ChatAction, { kind: 'sent' }>,
): readonly Entry[] {
  const last = entries.at(-1);
  if (continues === true && last?.kind === 'exchange')
    return [...entries.slice(0, -1), { ...last, turns: [...last.turns, newTurn(key)] }];
  return [...entries, { kind: 'exchange', key, message, turns: [newTurn(key)] }];
}

/** A new message dismisses the proposals before it, as the server does, unless it continues them. */
function settled(entry: Entry, { continues }: Extract<ChatAction, { kind: 'sent' }>): Entry {
  if (entry.kind === 'note') return entry;
  const turns = entry.turns.map((turn): TurnView => {
    const { flow, plan } = turn;
    const isOpen = plan?.status === 'pending' || plan?.status === 'refining';
    return {
      ...turn,
      fields: turn.fields.map((each) => (each.status === 'pending' ? { ...each, status: 'dismissed' } : each)),
      ...(flow?.status === 'pending' && { flow: { ...flow, status: flow.isRepeat ? 'applied' : 'dismissed' } }),
      ...(isOpen && { plan: { ...plan, status: continues === true ? 'approved' : 'dismissed' } }),
    };
  });
  return { ...entry, turns };
}

function storedEntries(turns: readonly StoredTurn[]): readonly Entry[] {
  let entries: readonly Entry[] = [];
  for (const stored of turns) {
    const before = entries.at(-1);
    const last = before?.kind === 'exchange' ? before.turns.at(-1) : undefined;
    const continues = last !== undefined && isContinuation(last, stored.message);
    entries = withTurn(entries, { kind: 'sent', key: stored.id, message: stored.message, continues });
    const chat = changeTurn({ sessionId: '', entries }, stored.id, (turn) => storedTurn(turn, stored));
    ({ entries } = withUndone(chat, stored.id));
  }
  return entries;
}

function isContinuation({ plan, continues }: TurnView, message: string): boolean {
  if (message === PLAN_APPROVAL_INPUT) return plan?.status === 'approved';
  return message === EDIT_CONTINUATION_INPUT && continues;
}

function storedTurn(fresh: TurnView, { id, status, reply, events, can_rewind_canvas }: StoredTurn): TurnView {
  const turn = (events as readonly AssistantEvent[]).reduce((view, event) => reduceTurn(view, event), {
    ...fresh,
    id,
    status: 'working',
  } as TurnView);
  if (status === 'running') return turn;
  const ended = isUnderWay(turn) ? (status === 'complete' ? 'complete' : 'interrupted') : turn.status;
  const text = turn.text === '' ? reply : turn.text;
  return { ...turn, status: ended, text, canRewindCanvas: can_rewind_canvas, question: undefined };
}

const exchangesOf = ({ entries }: Chat): readonly Exchange[] =>
  entries.filter((entry): entry is Exchange => entry.kind === 'exchange');

const turnsOf = (chat: Chat): readonly TurnView[] => exchangesOf(chat).flatMap(({ turns }) => turns);

/** The turn that works or waits for an answer. */
export const turnUnderWay = (chat: Chat): TurnView | undefined => turnsOf(chat).findLast(isUnderWay);

/** The turn under way that the server has. A message that waits may come after it. */
export const turnToFollow = (chat: Chat): TurnView | undefined =>
  turnsOf(chat).findLast((turn) => isUnderWay(turn) && turn.id !== undefined);

/** The newest turn whose changes can be reverted. */
export const revertibleTurn = (chat: Chat): TurnView | undefined => turnsOf(chat).findLast(canRevert);

/** The newest turn. */
export const latestTurn = (chat: Chat): TurnView | undefined => exchangesOf(chat).at(-1)?.turns.at(-1);

/** The next message changes the plan that the user dismissed. */
export const isRefining = (chat: Chat): boolean => latestTurn(chat)?.plan?.status === 'refining';

export const turnOf = (chat: Chat, key: string): TurnView | undefined => turnsOf(chat).find((turn) => turn.key === key);
