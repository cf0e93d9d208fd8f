import { useEffect, useState } from 'react';

/** Asks before a dialog with changes closes, and lets the browser ask before the page does. */
export function useUnsaved(isChanged: boolean, onClose: () => void) {
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    if (!isChanged) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
  return {
    /** Whether the dialog asks. */
    isLeaving,
    leave: () => (isChanged ? setIsLeaving(true) : onClose()),
    stay: () => setIsLeaving(false),
  };
}
