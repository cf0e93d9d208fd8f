/** Lets timers, requests and aborts happen between two parts of long work. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
