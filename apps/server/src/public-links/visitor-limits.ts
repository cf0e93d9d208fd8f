import { subscriberOf } from '../edge/addresses.ts';
import { problem } from '../routes/route.ts';
import { createWindowLimit } from '../webhooks/window-limit.ts';

/** Bounds of what visitors of public links may cause in this process. */
export interface VisitorLimits {
  /** Call it for each request, with the address of the visitor. @throws Problem `busy` with Retry-After */
  look(address: string): void;
  /**
   * Call it for each message, and the function it returns after its run.
   *
   * @throws Problem `busy` with Retry-After
   */
  begin(address: string, link: string): () => void;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LOOKS_A_MINUTE = 120;
const MESSAGES = { ofVisitorAMinute: 20, ofLinkAMinute: 60, ofLinkADay: 2_000 };
/** Runs of visitors take slots of the flow's owner, who has four. */
const RUNS_OF_LINK = 2;
const RETRY_S = 5;

/** Counts in memory: a server with several processes allows as much in each. */
export function createVisitorLimits(now: () => number = Date.now): VisitorLimits {
  const looks = createWindowLimit(LOOKS_A_MINUTE, MINUTE_MS, now);
  const ofVisitor = createWindowLimit(MESSAGES.ofVisitorAMinute, MINUTE_MS, now);
  const ofLink = createWindowLimit(MESSAGES.ofLinkAMinute, MINUTE_MS, now);
  const ofDay = createWindowLimit(MESSAGES.ofLinkADay, DAY_MS, now);
  const running = new Map<string, number>();
  const refuseAfter = (waitMs: number) => {
    if (waitMs > 0) throw busy(Math.ceil(waitMs / 1_000));
  };
  return {
    look: (address) => refuseAfter(looks.take(subscriberOf(address))),
    begin(address, link) {
      const own = running.get(link) ?? 0;
      if (own >= RUNS_OF_LINK) throw busy(RETRY_S);
      refuseAfter(ofVisitor.take(subscriberOf(address)));
      refuseAfter(ofLink.take(link));
      refuseAfter(ofDay.take(link));
      running.set(link, own + 1);
      return () => {
        const left = (running.get(link) ?? 1) - 1;
        if (left === 0) running.delete(link);
        else running.set(link, left);
      };
    },
  };
}

const busy = (seconds: number) =>
  problem('busy', `Many messages are sent right now. Try again in ${seconds} s.`, { 'Retry-After': String(seconds) });
