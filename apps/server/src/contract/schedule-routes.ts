import { z } from 'zod';
import { defineRoutes } from './define-route.ts';
import { seenVersion } from './flow-fields.ts';

const timing = {
  /** Five fields: minute, hour, day, month, weekday. */
  cron: z.string().min(1).max(100),
  /** An IANA name, such as `Europe/Berlin`. */
  timeZone: z.string().min(1).max(100),
  /** Whether it starts runs. */
  isOn: z.boolean(),
  /** Times that passed while the server was off: none of them starts a run, or one run starts for all of them. */
  missed: z.enum(['skip', 'once']),
  /** A time at which the run before has not ended: starts no run, or one beside it. */
  overlap: z.enum(['skip', 'start']),
};

const schedule = z.strictObject({
  id: z.string(),
  flowId: z.string(),
  ...timing,
  /** Null while it is off. */
  nextAt: z.string().nullable(),
  lastAt: z.string().nullable(),
  /** The id of the last run. */
  lastRun: z.string().nullable(),
  /** Why the last time started no run. It is tried again each minute. */
  failure: z.string().nullable(),
});

/**
 * Times at which stored flows run. Each caller reaches only their own schedules. Adding and changing one needs a session: a
 * schedule outlives a leaked key that was revoked.
 */
export const scheduleRoutes = defineRoutes('Schedules', {
  listSchedules: {
    route: 'GET /api/v1/schedules',
    summary: 'List your schedules, the next one first',
    access: 'caller',
    response: z.strictObject({
      schedules: z.array(schedule),
      /** Schedules that cannot be read, such as after the loss of the secret key. They start no runs and can be deleted. */
      unreadable: z.array(z.strictObject({ id: z.string(), failure: z.string() })),
    }),
    errors: ['unavailable'],
  },
  addSchedule: {
    route: 'POST /api/v1/flows/{id}/schedules',
    audit: true,
    summary: 'Run a stored flow at times, with its stored values',
    access: 'session',
    body: z.strictObject({
      ...timing,
      timeZone: timing.timeZone.default('UTC'),
      isOn: timing.isOn.default(true),
      missed: timing.missed.default('skip'),
      overlap: timing.overlap.default('skip'),
      version: seenVersion,
    }),
    status: 201,
    response: z.strictObject({ id: z.string() }),
    errors: ['busy', 'changed', 'invalid', 'newer_version', 'not_found', 'unavailable'],
  },
  changeSchedule: {
    route: 'PATCH /api/v1/schedules/{id}',
    audit: true,
    summary: 'Change or pause a schedule',
    access: 'session',
    body: z.strictObject({ ...timing, version: seenVersion }).partial(),
    response: z.strictObject({ id: z.string() }),
    errors: ['changed', 'invalid', 'not_found', 'unavailable'],
  },
  deleteSchedule: {
    route: 'DELETE /api/v1/schedules/{id}',
    summary: 'Delete a schedule. Its runs stay',
    access: 'caller',
    response: z.strictObject({ id: z.string() }),
    errors: ['not_found', 'unavailable'],
  },
});
