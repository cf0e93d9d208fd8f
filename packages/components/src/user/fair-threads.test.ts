import { afterAll, expect, it } from 'vitest';
import { readComponent } from './read-component.ts';
import type { ReadComponent } from './sandbox/messages.ts';
import { ROW_LIMITS, SandboxSession } from './sandbox-session.ts';
import { closeSandbox } from './sandbox-threads.ts';

const OUTPUTS = [{ name: 'result', method: 'build' }];
/** Longer than the test: only a cancelled run ends before. */
const PATIENT = { ...ROW_LIMITS, timeMs: 600_000 };

const sourceOf = (body: string) =>
  `export class Own extends Component {\n  outputs = [{ name: 'result', method: 'build' }];\n  build() {\n    ${body} return 1;\n  }\n}`;

async function componentOf(body: string, user: string): Promise<ReadComponent> {
  const read = await readComponent(sourceOf(body), { user });
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.component;
}

afterAll(closeSandbox);

it('the endless code of one user leaves threads for other users', async () => {
  const endless = await componentOf('for (;;) {}', 'alice');
  const abort = new AbortController();
  const ended: string[] = [];
  const running = Array.from({ length: 5 }, () =>
    new SandboxSession(endless, { limits: PATIENT, user: 'alice' })
      .run('{}', OUTPUTS, abort.signal)
      .catch(() => void ended.push('cancelled')),
  );
  const own = new SandboxSession(await componentOf('', 'bob'), { user: 'bob' });
  expect(await own.run('{}', OUTPUTS)).toMatchObject({ ok: true });
  own.close();
  expect(ended).toEqual([]);
  abort.abort(new Error('cancelled'));
  await Promise.all(running);
  expect(ended).toHaveLength(5);
  const next = new SandboxSession(await componentOf('', 'alice'), { user: 'alice' });
  expect(await next.run('{}', OUTPUTS)).toMatchObject({ ok: true });
  next.close();
});

it('a session between two rows gives its thread to a waiting one of the same user', async () => {
  const component = await componentOf('', 'carol');
  const sessions = Array.from({ length: 3 }, () => new SandboxSession(component, { user: 'carol' }));
  for (let round = 0; round < 2; round++)
    for (const outcome of await Promise.all(sessions.map((each) => each.run('{}', OUTPUTS))))
      expect(outcome).toMatchObject({ ok: true });
  for (const session of sessions) session.close();
});
