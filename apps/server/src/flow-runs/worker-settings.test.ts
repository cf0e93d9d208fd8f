import { beforeEach, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { RunContext, Schedule } from '@croft/runs';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import { createFlowComponents } from '../components/flow-components.ts';
import type { Db } from '../store/database.ts';
import { user } from '../store/schema.ts';
import { documentOf } from '../testing.ts';
import type { QueuedRunOptions } from './queued-run-options.ts';
import { workerSettings } from './worker-settings.ts';

let db: Db;
const userId = 'ws-ann';
useSharedDatabase((database) => void (db = database.db), [userId]);
beforeEach(async () => {
  await db.update(user).set({ banned: false }).where(eq(user.id, userId));
});

const FLOW = documentOf(
  'name: F\nnodes:\n  S: ScheduleTrigger\n  B: ChatOutput\nedges:\n  S.text -> B.input_value',
  (_, id) => id,
);
const schedule = { userId, flowId: 'f', timeZone: 'Europe/Zurich' } as Schedule;
const due = new Date(Date.UTC(2030, 0, 1));
const disable = () => db.update(user).set({ banned: true }).where(eq(user.id, userId));

async function open({
  found = { document: FLOW, documentBytes: 10 } as unknown,
  open: waiting = { count: 0, bytes: 0 },
  autoLogin = false,
} = {}) {
  const opened: any[] = [];
  const settings = await workerSettings(
    {
      autoLogin,
      flowComponents: createFlowComponents({ list: async () => ({ components: [], skipped: [] }) }),
      openServices: async (...of: unknown[]) => {
        opened.push(of);
        return { services: { own: true }, stored: undefined, secrets: new Set() };
      },
      secretsOf: async () => new Set(['canary']),
      readApproved: async () => found ?? undefined,
      log: { error: () => {}, warn: () => {} },
      workerName: 'worker 1',
      storage: async () => db,
    } as unknown as QueuedRunOptions,
    async () => ({ openOf: async () => waiting }) as never,
  );
  return { settings, opened };
}
const context = (over: object = {}) =>
  ({
    runId: 'r',
    userId,
    flowId: 'f',
    source: 'webhook',
    key: 'agent',
    flow: FLOW,
    inputs: { S: { a: 1 } },
    ask: 'ask',
    remember: 'remember',
    ...over,
  }) as unknown as RunContext;

it('runs the flow of a schedule as it is now, with the time at which it is due', async () => {
  const { settings } = await open();
  const found = await settings.flowOf?.(schedule, due);
  expect(found).toMatchObject({
    flow: FLOW,
    inputs: { S: { scheduled_at: '2030-01-01T00:00:00.000Z', timezone: 'Europe/Zurich' } },
  });
  expect([settings.name, settings.pollMs, settings.registry.get('ChatInput') !== undefined]).toEqual([
    'worker 1',
    250,
    true,
  ]);
  expect((found as { input?: string }).input).toMatch(/^2030-01-01T00:00:00\.000Z/);
});

it('starts no scheduled run of a flow that cannot run', async () => {
  const document = documentOf('name: F\nnodes:\n  B: ChatOutput', (_, id) => id);
  const { settings } = await open({ found: { document, documentBytes: 10 } });
  await expect(settings.flowOf?.(schedule, due)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^The flow cannot run: B /),
  });
});

it('starts no scheduled run whose flow is too large beside those that wait', async () => {
  const { settings } = await open({ found: { document: FLOW, documentBytes: 1e12 }, open: { count: 1, bytes: 1 } });
  await expect(settings.flowOf?.(schedule, due)).rejects.toMatchObject({ code: 'busy' });
});

it('runs nothing for a disabled user, and deletes the schedule of a flow or user that is gone', async () => {
  expect(await (await open({ found: null })).settings.flowOf?.(schedule, due)).toBeUndefined();
  const { settings } = await open();
  expect(await settings.flowOf?.({ ...schedule, userId: 'ws-gone' }, due)).toBeUndefined();
  await disable();
  expect(await settings.flowOf?.(schedule, due)).toBeNull();
});

it('keeps the schedule of an account without accounts, and runs nothing with the files of the local user', async () => {
  const { settings, opened } = await open({ autoLogin: true });
  expect(await settings.flowOf?.(schedule, due)).toBeNull();
  await expect(settings.services(context())).rejects.toThrow('one of the other way to sign in');
  expect(opened).toEqual([]);
});

it('starts no scheduled run where too many wait', async () => {
  const { settings } = await open({ open: { count: 1_000_000, bytes: 0 } });
  await expect(settings.flowOf?.(schedule, due)).rejects.toMatchObject({ code: 'busy' });
});

it('opens the services of a queued run for its user, and names the way in which it started', async () => {
  const { settings, opened } = await open();
  const { services } = await settings.services(context());
  expect(services).toEqual({ own: true, ask: 'ask', remember: 'remember' });
  expect(opened).toMatchObject([
    [
      { userId, via: 'webhook', client: null, key: 'agent' },
      { id: 'r', flowId: 'f', flow: FLOW, inputs: { S: { a: 1 } } },
    ],
  ]);
  await settings.services(context({ source: 'older', flowId: null }));
  expect(opened[1]).toMatchObject([{ via: 'api' }, { flowId: '' }]);
  const { registry, secrets } = await settings.services(context());
  expect([registry?.get('ScheduleTrigger') !== undefined, secrets]).toEqual([true, new Set()]);
});

it('opens nothing for a user who was disabled or removed', async () => {
  const { settings, opened } = await open();
  await expect(settings.services(context({ userId: 'ws-gone' }))).rejects.toThrow('Its user was disabled or removed.');
  await disable();
  await expect(settings.services(context())).rejects.toThrow('Its user was disabled or removed.');
  expect(opened).toEqual([]);
});

it('lets writes that carry the key of their step repeat without a question', async () => {
  const { settings } = await open();
  const policy = (type: string) => settings.policy?.({ node: 'A', type, effects: ['database-write'] });
  expect(settings.policy?.({ node: 'A', type: 'Memory', effects: ['database-write', 'network'] as never })).toBe(
    settings.policy?.({ node: 'A', type: 'Other', effects: ['network'] as never }),
  );
  expect([policy('Memory'), policy('VectorStoreWrite'), policy('SQLComponent')]).toEqual(['safe', 'safe', 'attention']);
});
