import { useEffect, useState } from 'react';

/** Whole seconds until a time, counted down; 0 when it is past or there is none. */
export function useSecondsUntil(time: number | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (time === undefined) {
      setLeft(0);
      return undefined;
    }
    const show = () => setLeft(Math.max(0, Math.ceil((time - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return time === undefined ? 0 : left || Math.max(0, Math.ceil((time - Date.now()) / 1000));
}
