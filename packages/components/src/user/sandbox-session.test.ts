import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { ReadComponent } from './sandbox/messages.ts';
import { ROW_LIMITS, SandboxSession } from './sandbox-session.ts';
import { closeSandbox } from './sandbox-threads.ts';

let sessions: SandboxSession[] = [];
afterEach(() => {
  for (const session of sessions) session.close();
  sessions = [];
});
afterAll(closeSandbox);

const OUTPUTS = [{ name: 'r', method: 'm' }];
function open(method: string, options = {}, imports: readonly string[] = []): SandboxSession {
  const js = `class Own extends Component { m() { ${method} } }`;
  const component: ReadComponent = {
    className: 'Own',
    label: '',
    description: '',
    fields: [],
    outputs: [],
    js,
    imports,
  };
  const session = new SandboxSession(component, options);
  sessions.push(session);
  return session;
}
const limits = { ...ROW_LIMITS, timeMs: 100 };

it('runs rows in their order, each for itself', async () => {
  const session = open('globalThis.n = (globalThis.n ?? 0) + 1; return this.value + n;');
  const rows = await Promise.all([1, 2, 3].map((value) => session.run(JSON.stringify({ value }), OUTPUTS)));
  expect(rows.map((row) => row.ok && row.outputs)).toEqual(['{"r":2}', '{"r":3}', '{"r":4}']);
  session.close();
  expect(await session.run('{"value":4}', OUTPUTS)).toMatchObject({ outputs: '{"r":5}' });
});

it('gives the functions that the source imports', async () => {
  expect(await open('return toText({ text: "a" });', {}, ['toText']).run('{}', OUTPUTS)).toMatchObject({
    outputs: '{"r":"a"}',
  });
});

it('gives the value of a column whose name has a dot', async () => {
  const row = open('return valueAt(this.row, "price.usd");', {}, ['valueAt']).run('{"row":{"price.usd":7}}', OUTPUTS);
  expect(await row).toMatchObject({ outputs: '{"r":7}' });
});

it('fails where a row takes too long, and runs the next one', async () => {
  const session = open('for (; this.endless;); return 1;', { limits });
  expect(await session.run('{"endless":true}', OUTPUTS)).toMatchObject({
    ok: false,
    reason: 'time',
    message: 'The component did not end within 100 ms. Check its loops and regular expressions.',
    line: 0,
  });
  expect(await session.run('{}', OUTPUTS)).toMatchObject({ ok: true });
});

it('fails with an error of the component, and runs the next row', async () => {
  const session = open('if (this.bad) throw new Error("no"); return 1;');
  expect(await session.run('{"bad":true}', OUTPUTS)).toMatchObject({ ok: false, reason: 'thrown', message: 'no' });
  expect(await session.run('{}', OUTPUTS)).toMatchObject({ ok: true });
});

it('ends a row with its caller, and not the rows after it', async () => {
  const session = open('for (; this.endless;); return 1;');
  const abort = new AbortController();
  const first = session.run('{"endless":true}', OUTPUTS, abort.signal);
  const second = session.run('{}', OUTPUTS);
  abort.abort(new Error('stop'));
  await expect(first).rejects.toThrow('stop');
  expect(await second).toMatchObject({ ok: true });
});

it('keeps its thread until the row that runs has ended, also when it is closed before', async () => {
  const session = open('for (let at = 0; at < this.rounds; at++); return 1;');
  await session.run('{"rounds":1}', OUTPUTS);
  const row = session.run('{"rounds":1000000}', OUTPUTS);
  await nextTurn();
  session.close();
  const abort = new AbortController();
  const other = open('for (;;);').run('{}', OUTPUTS, abort.signal);
  await nextTurn();
  abort.abort(new Error('stop'));
  await expect(other).rejects.toThrow('stop');
  expect(await row).toMatchObject({ ok: true });
});

it('bounds a row unless it gets other limits', () => {
  expect(ROW_LIMITS).toEqual({ timeMs: 5_000, memoryBytes: 67_108_864, resultChars: 8_388_608, logLines: 100 });
});
