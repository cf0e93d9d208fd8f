import { useEffect, useRef } from 'react';
import { type Chat, latestTurn } from './chat.ts';

/** Calls `onBuilt` when the page has a flow that the latest turn put onto the canvas as a whole. */
export function useShowBuilt(chat: Chat, version: number, onBuilt: () => void): void {
  const turn = latestTurn(chat);
  const built = turn?.events.findLast(
    (each) =>
      (each.event === 'flow_update' && each.action === 'set_flow' && each.auto_apply) ||
      (each.event === 'proposal_decided' && (each.choice === 'add' || each.choice === 'replace')),
  );
  const landed = built !== undefined && 'version' in built ? (built.version ?? 0) : 0;
  const isThere = landed > 0 && version >= landed;
  const latest = useRef(onBuilt);
  latest.current = onBuilt;
  const isFirst = useRef(true);
  useEffect(() => {
    const isOld = isFirst.current;
    isFirst.current = false;
    if (!isThere || isOld) return undefined;
    // React Flow measures the new components in the frame after they are drawn.
    let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(() => latest.current())));
    return () => cancelAnimationFrame(frame);
  }, [isThere, landed]);
}
