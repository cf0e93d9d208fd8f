import { useEffect } from 'react';
import type { EditStore } from '../canvas/edit-state.ts';
import { type Chat, latestTurn } from './chat.ts';
import { versionsOf } from './turn-versions.ts';
import { isUnderWay } from './turn-view.ts';

/**
 * Makes the changes of each turn a step of the page's undo: Ctrl+Z takes a turn back as a whole, and a decision about a
 * proposal by itself.
 */
export function useOwnSteps(chat: Chat, version: number, edits: Pick<EditStore, 'adopt'>): void {
  const turn = latestTurn(chat);
  const own = turn && !isUnderWay(turn) ? versionsOf(turn) : [];
  const known = JSON.stringify(own.filter((each) => each <= version));
  const isWhole = own.every((each) => each <= version);
  useEffect(() => {
    // Edits that the page already adopted are not adopted again.
    if (isWhole) edits.adopt(new Set(JSON.parse(known) as number[]));
  }, [isWhole, known, edits]);
}
