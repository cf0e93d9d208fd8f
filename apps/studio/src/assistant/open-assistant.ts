import { createListeners } from '../listeners.ts';

let requests = 0;
const { subscribe, notify } = createListeners();

/** Opens the panel of the assistant: on this page, or on that of the flow that is shown next. */
export function openAssistant(): void {
  requests += 1;
  notify();
}

/** The requests so far, for `useSyncExternalStore`. */
export const assistantRequests = { get: () => requests, subscribe };
