import type { ServerResponse } from 'node:http';
import { onClosed } from '../on-closed.ts';
import { problem } from './route.ts';

/** Streams of events that one user may have open: a reader that stops reading holds its events in memory. */
const MAX_OF_USER = 20;

/** Counts open responses by user. */
export interface StreamLimit {
  /** Counts a response until it closes. @throws Problem `too_many_streams` */
  open(userId: string, response: ServerResponse): void;
}

export function createStreamLimit(most: number = MAX_OF_USER): StreamLimit {
  const open = new Map<string, number>();
  return {
    open(userId, response) {
      const count = open.get(userId) ?? 0;
      if (count >= most)
        throw problem('too_many_streams', `You have ${count} of these streams open already. Close one of them.`);
      open.set(userId, count + 1);
      onClosed(response, () => {
        const left = (open.get(userId) ?? 1) - 1;
        if (left === 0) open.delete(userId);
        else open.set(userId, left);
      });
    },
  };
}
