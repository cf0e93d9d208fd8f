import { expect, it } from 'vitest';
import { NoTypes, openTypeThread, type TypeWorker } from './type-thread.ts';

/** Workers that answer each request with its code; `slow` gets no answer, and `broken` is an error. */
function startedWorkers() {
  const state = { started: 0, ended: 0, loads: true, asked: [] as string[] };
  const startWorker = (): TypeWorker => {
    state.started++;
    const emit = (data: unknown) =>
      queueMicrotask(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent));
    const fail = () => queueMicrotask(() => worker.onerror?.call(worker as Worker, new Event('error') as ErrorEvent));
    const worker: TypeWorker = {
      onmessage: null,
      onerror: null,
      postMessage({ code }: { code: string }) {
        state.asked.push(code);
        if (code === 'broken') fail();
        else if (code !== 'slow') setTimeout(() => emit({ answer: [{ message: code }] }));
      },
      terminate: () => void state.ended++,
    };
    if (state.loads) emit({ isReady: true });
    else fail();
    return worker;
  };
  return { state, startWorker };
}

const check = (code: string) => ({ kind: 'check', code }) as const;
const complete = (code: string) => ({ kind: 'complete', code, at: 0 }) as const;
const reason = (error: unknown) => (error as NoTypes).reason;

it('starts a worker with the first request, and asks it one thing after the other', async () => {
  const { state, startWorker } = startedWorkers();
  const thread = openTypeThread({ startWorker });
  expect(state.started).toBe(0);
  const first = thread.ask(check('one'));
  const second = thread.ask(complete('two'));
  expect(await first).toEqual([{ message: 'one' }]);
  expect(await second).toEqual([{ message: 'two' }]);
  expect(state).toMatchObject({ started: 1, ended: 0, asked: ['one', 'two'] });
});

it('ends a worker that does not answer in time, and starts another one with the next request', async () => {
  const { state, startWorker } = startedWorkers();
  const thread = openTypeThread({ startWorker, limitMs: 50 });
  const slow = thread.ask(check('slow')).catch(reason);
  const next = thread.ask(complete('two'));
  expect(await slow).toBe('slow');
  expect(state.ended).toBe(1);
  expect(await next).toEqual([{ message: 'two' }]);
  expect(state).toMatchObject({ started: 2, ended: 1 });
});

it('carries out only the last one of the requests of a kind that wait', async () => {
  const { state, startWorker } = startedWorkers();
  const thread = openTypeThread({ startWorker, limitMs: 50 });
  const slow = thread.ask(check('slow')).catch(reason);
  await expect.poll(() => state.asked).toEqual(['slow']);
  const waiting = ['one', 'two', 'three'].map((code) => thread.ask(check(code)).catch(reason));
  expect(await Promise.all([slow, ...waiting])).toEqual(['slow', 'outdated', 'outdated', [{ message: 'three' }]]);
  expect(state.asked).toEqual(['slow', 'three']);
});

it('starts another worker after one that failed or did not load', async () => {
  const { state, startWorker } = startedWorkers();
  const thread = openTypeThread({ startWorker });
  expect(await thread.ask(check('broken')).catch(reason)).toBe('failed');
  state.loads = false;
  expect(await thread.ask(check('one')).catch(reason)).toBe('failed');
  state.loads = true;
  expect(await thread.ask(check('two'))).toEqual([{ message: 'two' }]);
  expect(state).toMatchObject({ started: 3, ended: 2 });
});

it('fails where no worker can start', async () => {
  const startWorker = () => {
    throw new Error('no workers');
  };
  const thread = openTypeThread({ startWorker });
  expect(await thread.ask(check('one')).catch(reason)).toBe('failed');
});

it('ends its worker when it closes, and answers nothing more', async () => {
  const { state, startWorker } = startedWorkers();
  const thread = openTypeThread({ startWorker });
  await thread.ask(check('one'));
  const open = thread.ask(check('slow')).catch(reason);
  await expect.poll(() => state.asked).toContain('slow');
  thread.close();
  expect(await open).toBe('closed');
  expect(state.ended).toBe(1);
  await expect(thread.ask(check('two'))).rejects.toThrow(NoTypes);
  expect(state.started).toBe(1);
});
