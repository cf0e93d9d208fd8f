let requests = 0;
const listeners = new Set<() => void>();

/** Opens the panel of the assistant: on this page, or on that of the flow that is shown next. */
export function openAssistant(): void {
  requests += 1;
  for (const listener of listeners) listener();
}

/** The requests so far, for `useSyncExternalStore`. */
export const assistantRequests = {
  get: () => requests,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
