import { type RefObject, useEffect, useRef } from 'react';

/**
 * A text that is being written. `keep` hands a changed one to `onText`, once. It is called, too, when the field goes away without
 * a blur: its card left the view, or the session ended.
 */
export function useKeptText(
  text: string,
  onText: (text: string) => void,
): { written: RefObject<string>; keep(): void } {
  const written = useRef(text);
  const kept = useRef(text);
  const latest = useRef(onText);
  latest.current = onText;
  const keep = () => {
    if (written.current === kept.current) return;
    kept.current = written.current;
    latest.current(written.current);
  };
  // Of the first rendering, but it has only refs.
  useEffect(() => keep, []);
  return { written, keep };
}
