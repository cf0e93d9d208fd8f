import { afterEach, expect, it } from 'vitest';
import { SandboxFailure, SandboxThread } from './sandbox-thread.ts';

let thread: SandboxThread | undefined;
afterEach(() => thread?.end());
const start = async () => (thread = await SandboxThread.start());

const row = (js: string) => ({
  kind: 'row' as const,
  session: 1,
  isOpen: false,
  className: 'Own',
  js: `class Own extends Component { m() { ${js} } }`,
  library: '',
  inputs: '{}',
  outputs: [{ name: 'r', method: 'm' }],
  limits: { timeMs: 60_000, memoryBytes: 64 * 1024 * 1024, resultChars: 1_000, logLines: 1 },
});

it('answers jobs one after the other', async () => {
  const own = await start();
  expect(await own.ask(row('return 1;'), 5_000)).toMatchObject({ row: { ok: true, outputs: '{"r":1}' } });
  expect(await own.ask({ ...row('return 2;'), isOpen: true }, 5_000)).toMatchObject({ row: { outputs: '{"r":2}' } });
  expect(await own.ask({ kind: 'read', source: 'x' }, 5_000)).toMatchObject({ read: { ok: false } });
  expect(
    await own.ask({ kind: 'search', search: { language: 'JMESPath', expression: 'a', value: '{"a":1}' } }, 5_000),
  ).toMatchObject({
    searched: { ok: true, found: '1' },
  });
  expect(own.isGone).toBe(false);
});

it('ends where a job takes too long', async () => {
  const own = await start();
  await expect(own.ask(row('for (;;);'), 50)).rejects.toMatchObject({
    reason: 'time',
    message: 'The sandbox ended: time.',
  });
  expect(own.isGone).toBe(true);
});

it('ends where its caller does not wait any more', async () => {
  const own = await start();
  const abort = new AbortController();
  await own.ask(row('return 1;'), 5_000);
  const asked = own.ask(row('for (;;);'), 60_000, abort.signal);
  setImmediate(() => abort.abort(new Error('stop')));
  await expect(asked).rejects.toThrow('stop');
  expect(own.isGone).toBe(true);
  await expect((await start()).ask(row('return 1;'), 5_000, AbortSignal.abort(new Error('before')))).rejects.toThrow(
    'before',
  );
  expect(thread?.isGone).toBe(false);
});

it('fails where the thread ends during a job', async () => {
  const own = await start();
  const asked = own.ask(row('for (;;);'), 60_000);
  await own.end();
  await expect(asked).rejects.toBeInstanceOf(SandboxFailure);
  await expect(asked).rejects.toMatchObject({ reason: 'ended' });
});
