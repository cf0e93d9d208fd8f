import { applyEdits, type Edit, FlowError } from '@croft/flow';
import { ApiError, isTemporary } from '../api/request.ts';
import { createListeners } from '../listeners.ts';
import { conflictOf, editsOf, keepMine, keepTheirs, withChanges, withoutRepeated } from './edit-conflict.ts';
import type { EditRequest, Entry, Sent } from './edit-server.ts';
import type { EditState, EditStore, EditStoreOptions } from './edit-state.ts';
import { createReceivedEdits } from './received-edits.ts';
import { refuseInvalid } from './refuse-invalid.ts';
import { createUndoStack, isSameWord, stepKey } from './undo-stack.ts';
import type { Change } from './unsent-edits.ts';
import { withCode } from './with-code.ts';

const DISAGREE = 'This page and the server disagree about the flow. Reload the page.';

/** Creates the store of one flow and tab. `flush` sends the edits that the tab kept over a reload. */
export function createEditStore({
  version,
  document,
  server,
  unsent,
  isOwner = () => true,
  now = Date.now,
  pauseMs = 400,
  retryMs = 3_000,
}: EditStoreOptions): EditStore {
  const kept = unsent.read();
  const stack = createUndoStack();
  const received = createReceivedEdits();
  const { subscribe, notify } = createListeners();
  const steps = createListeners();
  let base = document;
  let baseVersion = version;
  /** The version that the unsent changes know. */
  let since = Math.min(kept?.since ?? version, version);
  let pending: readonly Change[] = kept?.changes ?? [];
  let sending = kept?.sending;
  let announced = version;
  let lastKey: string | undefined;
  let isBusy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: EditState = {
    document: withChanges(base, pending).document,
    version,
    save: { kind: pending.length > 0 ? 'saving' : 'saved' },
    canUndo: false,
    canRedo: false,
  };

  const show = (changed: Partial<EditState>) => {
    const [canUndo, canRedo] = [stack.has('undo'), stack.has('redo')];
    state = { ...state, version: baseVersion, canUndo, canRedo, ...changed };
    unsent.write(pending.length > 0 ? { since, changes: pending, sending } : undefined);
    notify();
  };
  const later = (ms: number, isPostponed = false) => {
    if (isPostponed) clearTimeout(timer);
    if (isPostponed || timer === undefined) timer = setTimeout(() => void work(), ms);
  };

  /** Sends what is pending; without that, fetches what others did. */
  async function work() {
    clearTimeout(timer);
    timer = undefined;
    if (isBusy || state.save.kind === 'conflict' || !isOwner()) return;
    if (pending.length === 0 && announced <= baseVersion) return;
    isBusy = true;
    try {
      if (pending.length > 0) await send();
      else meet(await server.entriesAfter(baseVersion));
      isBusy = false;
      if (pending.length > 0 || announced > baseVersion) later(0);
    } catch (error) {
      isBusy = false;
      if (!(error instanceof ApiError)) return refuse(DISAGREE);
      if (!isTemporary(error)) return refuse(error.message);
      show({ save: { kind: pending.length > 0 ? 'waiting' : 'saved' } });
      later(error.retryAfterS === undefined ? retryMs : error.retryAfterS * 1_000);
    }
  }

  function refuse(message: string) {
    sending = undefined;
    show({ save: { kind: 'refused', message } });
  }

  async function send() {
    // A request without an answer is repeated unchanged: the server may have applied it.
    sending ??= { key: newKey(), count: pending.length };
    const { key, count } = sending;
    show({ save: { kind: state.save.kind === 'waiting' ? 'waiting' : 'saving' } });
    const request: EditRequest = { base: since, edits: editsOf(pending.slice(0, count)), key };
    try {
      accept(await server.send(request), request.edits, count);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'changed') throw error;
      const entries = await server.entriesAfter(since);
      sending = undefined;
      if (entries.length === 0) throw error;
      meet(entries);
    }
  }

  function accept(sent: Sent, edits: readonly Edit[], count: number) {
    const between = sent.between.filter((entry) => entry.version > baseVersion);
    pending = pending.slice(count);
    sending = undefined;
    lastKey = undefined;
    since = sent.version;
    if (sent.version <= baseVersion) return merge(editsIn(between), { kind: 'batch', edits: [] });
    const under = received.apply(base, between);
    const filled = withCode(edits, sent.edits);
    base = applyEdits(under.flow, filled).flow;
    baseVersion = sent.version;
    merge(editsIn(between), under.inverse, filled !== edits);
  }

  function meet(entries: readonly Entry[]) {
    const news = entries.filter((entry) => entry.version > baseVersion);
    const applied = received.apply(base, news);
    base = applied.flow;
    baseVersion = entries.at(-1)?.version ?? baseVersion;
    since = baseVersion;
    merge(editsIn(entries), applied.inverse);
  }

  /** Puts the pending changes on top of what others did. `isFilled`: the server added to the edits of this page. */
  function merge(theirs: readonly Edit[], inverse: Edit, isFilled = false) {
    announced = Math.max(announced, baseVersion);
    const save = { kind: pending.length > 0 ? 'saving' : 'saved' } as const;
    if (theirs.length === 0) return isFilled ? rebase() : show({ save });
    stack.addOthers(theirs);
    lastKey = undefined;
    pending = withoutRepeated(pending, theirs);
    const conflict = conflictOf(pending, theirs, inverse);
    if (conflict) {
      const { document: now } = withChanges(base, pending);
      return show({ document: now, save: { kind: 'conflict', conflict } });
    }
    rebase();
  }

  /** Drops changes that fit no more. */
  function rebase() {
    const { document: next, fitting } = withChanges(base, pending);
    pending = fitting;
    show({ document: next, save: { kind: pending.length > 0 ? 'saving' : 'saved' } });
  }

  function perform(edits: readonly Edit[], key?: string): Edit {
    const { flow, inverse } = applyEdits(state.document, edits);
    const isOnTop = key !== undefined && key === lastKey && pending.length > (sending?.count ?? 0);
    pending = [...(isOnTop ? pending.slice(0, -1) : pending), { edits }];
    lastKey = key;
    state = { ...state, document: flow };
    return inverse;
  }

  /** The edits of a text are sent when its typing pauses. */
  function performed(isContinued = false) {
    show(state.save.kind === 'saved' ? { save: { kind: 'saving' } } : {});
    later(pauseMs, isContinued && state.save.kind === 'saving');
    steps.notify();
  }

  return {
    get: () => state,
    subscribe,
    apply(edits) {
      if (edits.length === 0) return;
      refuseInvalid(edits);
      const key = stepKey(edits);
      const isContinued = key !== undefined && key === lastKey;
      const inverse = perform(edits, key);
      stack.push(inverse, key, now(), key !== undefined && isSameWord(edits, inverse));
      performed(isContinued);
    },
    endStep: stack.endStep,
    step(direction) {
      for (;;) {
        const edits = stack.take(direction, state.document);
        if (edits === undefined) break;
        try {
          stack.pushTaken(direction, perform(edits));
          performed();
          return true;
        } catch (error) {
          // Others removed what the step needs: the one before it may still fit.
          if (!(error instanceof FlowError)) throw error;
        }
      }
      show({});
      steps.notify();
      return false;
    },
    onNextStep(listener) {
      const stop = steps.subscribe(() => {
        stop();
        listener();
      });
    },
    adopt(versions) {
      const own = received.take(versions);
      if (own === undefined) return;
      stack.push(own.inverse, undefined, now());
      stack.addOthers(own.others);
      show({});
      steps.notify();
    },
    announce(next) {
      announced = Math.max(announced, next);
      if (announced > baseVersion) void work();
    },
    flush: () => void work(),
    discard() {
      pending = [];
      sending = undefined;
      stack.clear();
      rebase();
      steps.notify();
      void work();
    },
    resolve(keep) {
      if (state.save.kind !== 'conflict') return;
      const { conflict } = state.save;
      pending = keep === 'mine' ? keepMine(pending, conflict, base) : keepTheirs(pending, conflict);
      rebase();
      void work();
    },
  };
}

const editsIn = (entries: readonly Entry[]): readonly Edit[] => entries.flatMap(({ edits }) => edits);

/** A key that no other request of this flow has. Not secret; `crypto.randomUUID` is missing on pages without TLS. */
const newKey = () => `edit-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
