const EVERY_MS = 2_000;

/**
 * Cancels the run of a visitor once its link has stopped working, by whatever process: the answer would go on for minutes. Call
 * the function that it returns when the run has ended. Without an answer of the database, the run goes on.
 */
export function endWithLink(cancel: () => void, isOpen: () => Promise<boolean>, everyMs = EVERY_MS): () => void {
  const look = async () => {
    if (!(await isOpen().catch(() => true))) cancel();
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}
