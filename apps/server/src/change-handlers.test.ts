import { expect, it } from 'vitest';
import { changeHandlers, type ChangeHandlerOptions } from './change-handlers.ts';
import type { Change } from './store/changes.ts';

/** The calls of the server after a change by another process. */
async function did(change: Partial<Change> | 'missed') {
  const calls: string[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))].join(' '));
  const names = (...all: string[]) => Object.fromEntries(all.map((name) => [name, note(name)]));
  const options = {
    hub: names('forgetPairing', 'refresh'),
    events: names('endFor', 'endInvalid', 'send', 'sendAll'),
    endedSessions: names('reload'),
    flowRuns: { cancelFor: note('cancelRuns'), liveRuns: { users: () => ['ann', 'bob'] } },
    liveTurns: { cancelFor: note('cancelTurns'), users: () => ['ann', 'cid'] },
    isActive: async (userId: string) => userId === 'ann',
    log: names('warn'),
  } as unknown as ChangeHandlerOptions;
  const handlers = changeHandlers(options);
  if (change === 'missed') await handlers.onMissed();
  else await handlers.onChange({ kind: 'switch', userId: 'ann', ...change });
  return calls.sort();
}

it('ends everything of a user whose access was cut', async () => {
  expect(await did({ kind: 'cut' })).toEqual([
    'cancelRuns ann',
    'cancelTurns ann',
    'endFor ann',
    'forgetPairing ann',
    'refresh ann',
  ]);
});

it('reads ended sessions again, and ends the streams of their user', async () => {
  expect(await did({ kind: 'sessions' })).toEqual(['endFor ann', 'reload']);
});

it('reads the state of a machine again', async () => {
  expect(await did({ kind: 'switch' })).toEqual(['refresh ann']);
  expect(await did({ kind: 'machine' })).toEqual(['refresh ann']);
  expect(await did({ kind: 'pairing' })).toEqual(['forgetPairing ann']);
});

it('tells the pages of everyone who can read a flow', async () => {
  const flow = { id: 'f', version: 3, userIds: ['ann', 'bob'] };
  const sent = '{"event":"flows","data":{"id":"f","version":3}}';
  expect(await did({ kind: 'flow', flow })).toEqual([`send ann ${sent}`, `send bob ${sent}`]);
});

it('reads everything again where changes may have been missed, and cancels runs and turns of disabled users', async () => {
  expect(await did('missed')).toEqual([
    'cancelRuns bob',
    'cancelRuns cid',
    'cancelTurns bob',
    'cancelTurns cid',
    'endInvalid',
    'refresh',
    'reload',
    'sendAll {"event":"flows","data":{"id":null,"version":null}}',
  ]);
});
