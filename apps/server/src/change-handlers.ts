import type { Hub } from '@croft/gateway/hub';
import type { LiveTurns } from './assistant/live-turns.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { EventStreams } from './events.ts';
import { sendFlowChange } from './flows/announce-flow.ts';
import type { LiveRuns } from './flow-runs/live-runs.ts';
import type { FlowRuns } from './flow-runs/open-flow-runs.ts';
import type { Log } from './log.ts';
import type { ChangeHandlers } from './store/changes.ts';

export interface ChangeHandlerOptions {
  readonly hub: Pick<Hub, 'forgetPairing' | 'refresh'>;
  readonly events: Pick<EventStreams, 'endFor' | 'endInvalid' | 'send' | 'sendAll'>;
  readonly endedSessions: Pick<EndedSessions, 'reload'>;
  readonly flowRuns: Pick<FlowRuns, 'cancelFor'> & { readonly liveRuns: Pick<LiveRuns, 'users'> };
  readonly liveTurns: Pick<LiveTurns, 'cancelFor' | 'users'>;
  /** Whether a user exists and is not disabled. */
  readonly isActive: (userId: string) => Promise<boolean>;
  readonly log: Log;
}

/** Applies changes that another process on the same database made: drops caches, ends sessions and connections. */
export function changeHandlers({
  hub,
  events,
  endedSessions,
  flowRuns,
  liveTurns,
  isActive,
  log,
}: ChangeHandlerOptions): ChangeHandlers {
  return {
    async onChange({ kind, userId, flow }) {
      if (kind === 'sessions') endedSessions.reload();
      if (kind === 'sessions' || kind === 'cut') events.endFor(userId);
      if (kind === 'pairing' || kind === 'cut') hub.forgetPairing(userId);
      if (flow !== undefined) sendFlowChange(events, flow);
      const isCut = kind === 'cut';
      if (isCut) liveTurns.cancelFor(userId);
      await Promise.all([
        kind === 'switch' || kind === 'machine' || isCut ? hub.refresh(userId) : undefined,
        isCut ? flowRuns.cancelFor(userId) : undefined,
      ]);
    },
    async onMissed() {
      endedSessions.reload();
      events.sendAll({ event: 'flows', data: { id: null, version: null } });
      await hub.refresh();
      await events.endInvalid();
      for (const userId of new Set([...flowRuns.liveRuns.users(), ...liveTurns.users()])) {
        if (await isActive(userId)) continue;
        liveTurns.cancelFor(userId);
        await flowRuns.cancelFor(userId);
      }
    },
    onError: (error) =>
      log.warn({ err: error }, 'changes by other processes do not arrive; asking the database instead'),
  };
}
