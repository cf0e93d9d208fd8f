import { type ChangeEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';

const PAUSE_MS = 500;

/** A value that is being typed. */
export interface Draft<T> {
  readonly value: T;
  /** Shows a value and commits it: a live one now, another one after a pause. */
  set(value: T): void;
  /** Shows a value and commits it now. */
  commit(value: T): void;
  /** Ends the draft, on blur and Enter: commits a value that waits. */
  flush(): void;
}

/**
 * A copy of a value for a control, so that the text stays as it is typed until a pause. Where `isLive` is true of a value, each
 * key commits it, and the edits of a word are one step of undo; elsewhere a value is committed after the pause, or when the
 * control goes away. A value that changes meanwhile by other means is shown after the pause.
 */
export function useDraft<T>(value: T, onCommit: (value: T) => void, isLive?: (value: T) => boolean): Draft<T> {
  const [draft, setDraft] = useState<{ readonly value: T }>();
  const waiting = useRef<{ readonly value: T }>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onCommit);
  latest.current = onCommit;
  function flush() {
    clearTimeout(timer.current);
    const { current } = waiting;
    waiting.current = undefined;
    if (current !== undefined) latest.current(current.value);
    setDraft(undefined);
  }
  const last = useRef(flush);
  last.current = flush;
  useEffect(() => () => last.current(), []);
  function set(next: T) {
    const own = { value: next };
    setDraft(own);
    waiting.current = isLive?.(next) === true ? undefined : own;
    if (waiting.current === undefined) latest.current(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => last.current(), PAUSE_MS);
  }
  return {
    value: draft === undefined ? value : draft.value,
    set,
    commit(next) {
      set(next);
      flush();
    },
    flush,
  };
}

/** A longer text is committed after the pause: each edit carries the whole of it. */
const MAX_LIVE = 2_000;

/** Whether each key of a text is an edit. */
export const isLiveText = (text: string): boolean => text.length <= MAX_LIVE;

/** The attributes of a line of text that shows a draft. Leaving the line and Enter commit it. */
export const draftInput = ({ value, set, flush }: Draft<string>) => ({
  value,
  onChange: (event: ChangeEvent<HTMLInputElement>) => set(event.target.value),
  onBlur: flush,
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === 'Enter') flush();
  },
});
