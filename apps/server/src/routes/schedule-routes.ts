import { randomUUID } from 'node:crypto';
import type { Schedule, ScheduleState } from '@croft/runs';
import { scheduleRoutes } from '../contract/schedule-routes.ts';
import { showProblem } from '../flow-runs/all-runs.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import { readyFlow, type ReadyOptions } from '../flow-runs/start-stored-flow.ts';
import { approveSeen } from '../flows/approve-flow.ts';
import type { Db } from '../store/database.ts';
import { createOneAtATime } from '../one-at-a-time.ts';
import { type Route, route } from './route.ts';

export interface ScheduleRouteOptions extends ReadyOptions {
  readonly storage: () => Promise<Db>;
  readonly queuedRuns: Pick<QueuedRuns, 'reader' | 'open'>;
}

const MAX_SCHEDULES = 100;
const NO_SCHEDULE = 'You have no such schedule.';

/** Schedules of stored flows. */
export function makeScheduleRoutes(options: ScheduleRouteOptions): Route[] {
  const { queuedRuns } = options;
  // Requests at once would each find room for one more.
  const adding = createOneAtATime();
  const schedulesOf = async (userId: string) =>
    (await queuedRuns.reader()).schedules(userId).catch(showProblem) as Promise<ScheduleState[]>;
  return [
    route(scheduleRoutes.listSchedules, async ({ caller }) => {
      const found = await schedulesOf(caller.userId);
      return {
        schedules: found.flatMap(({ schedule, ...state }) => (schedule ? [shownSchedule(schedule, state)] : [])),
        unreadable: found.flatMap(({ id, schedule, failure }) => (schedule ? [] : [{ id, failure: failure ?? '' }])),
      };
    }),
    route(scheduleRoutes.addSchedule, async ({ caller, params, body: { version, ...timing }, problem }) => {
      const { userId } = caller;
      await readyFlow(options, userId, { flowId: params.id, values: {} });
      const { schedules } = await queuedRuns.open();
      return adding.take(userId, async () => {
        if ((await schedulesOf(userId)).length >= MAX_SCHEDULES)
          throw problem('busy', `You have ${MAX_SCHEDULES} schedules. Delete one first.`);
        const id = randomUUID();
        if (timing.isOn) await approveSeen(await options.storage(), caller, params.id, version);
        await schedules.set({ ...timing, id, userId, flowId: params.id }).catch(showProblem);
        return { id };
      });
    }),
    route(scheduleRoutes.changeSchedule, async ({ caller, params, body: { version, ...timing }, problem }) => {
      const found = (await schedulesOf(caller.userId)).find(({ id }) => id === params.id);
      if (found === undefined) throw problem('not_found', NO_SCHEDULE);
      if (found.schedule === null) throw problem('unavailable', `The schedule cannot be read. ${found.failure}`);
      const changed = Object.fromEntries(Object.entries(timing).filter(([, value]) => value !== undefined));
      const { schedules } = await queuedRuns.open();
      if (timing.isOn === true) await approveSeen(await options.storage(), caller, found.schedule.flowId, version);
      const isChanged = await schedules.change(params.id, caller.userId, changed).catch(showProblem);
      if (!isChanged) throw problem('not_found', NO_SCHEDULE);
      return { id: params.id };
    }),
    route(scheduleRoutes.deleteSchedule, async ({ caller, params, problem }) => {
      const isOwn = (await schedulesOf(caller.userId)).some(({ id }) => id === params.id);
      if (!isOwn) throw problem('not_found', NO_SCHEDULE);
      const { schedules } = await queuedRuns.open();
      await schedules.remove(params.id, caller.userId).catch(showProblem);
      return { id: params.id };
    }),
  ];
}

function shownSchedule(
  { id, flowId, cron, timeZone, isOn, missed, overlap }: Schedule,
  { nextAt, lastAt, lastRun, failure }: Omit<ScheduleState, 'schedule'>,
) {
  return {
    id,
    flowId,
    cron,
    timeZone,
    isOn,
    missed,
    overlap,
    nextAt: nextAt?.toISOString() ?? null,
    lastAt: lastAt?.toISOString() ?? null,
    lastRun,
    failure,
  };
}
