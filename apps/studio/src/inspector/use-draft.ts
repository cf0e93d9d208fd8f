import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 500;

/** A value that is being typed. */
export interface Draft<T> {
  readonly value: T;
  /** Shows a value and commits it after a pause. */
  set(value: T): void;
  /** Shows a value and commits it now. */
  commit(value: T): void;
  /** Commits a draft that waits: on blur and Enter. */
  flush(): void;
}

/**
 * A copy of a value for a control, so that each key does not make an edit. A draft that waits is committed when the
 * control goes away. A value that changes meanwhile by other means is shown after the commit.
 */
export function useDraft<T>(value: T, onCommit: (value: T) => void): Draft<T> {
  const [draft, setDraft] = useState<{ readonly value: T }>();
  const waiting = useRef<{ readonly value: T }>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onCommit);
  latest.current = onCommit;
  function flush() {
    clearTimeout(timer.current);
    const { current } = waiting;
    if (current === undefined) return;
    waiting.current = undefined;
    latest.current(current.value);
    setDraft(undefined);
  }
  const last = useRef(flush);
  last.current = flush;
  useEffect(() => () => last.current(), []);
  function set(next: T) {
    waiting.current = { value: next };
    setDraft(waiting.current);
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
