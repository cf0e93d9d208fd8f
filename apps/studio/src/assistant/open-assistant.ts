import { createListeners } from '../listeners.ts';

let requests = 0;
const { subscribe, notify } = createListeners();

/** Opens the panel of the assistant: on this page, or on that of the flow that is shown next. */
export function openAssistant(): void {
  requests += 1;
  notify();
}

export const assistantRequests = {
  /** The requests so far, for `useSyncExternalStore`. */
  get: () => requests,
  subscribe,
  /** The requests that a panel was opened for. */
  met: 0,
};
