import { expect, it } from 'vitest';
import type { RunEvent } from './events.ts';
import { NodeReport } from './node-report.ts';

function report() {
  const events: RunEvent[] = [];
  const made = new NodeReport(
    {
      emit: (event) => events.push(event),
      messageOf: (error) => `message: ${String(error)}`,
      // Keeps the last character, as a stream that hides secrets does.
      stream: () => {
        let held = '';
        return {
          add(text: string) {
            const all = held + text;
            held = all.slice(-1);
            return all.slice(0, -1);
          },
          end: () => held,
        } as never;
      },
      shown: (text) => `<${text}>`,
    },
    'n',
    'outer/n',
    5,
  );
  return { made, events };
}
const at = { node: 'n', path: 'outer/n' };

it('turns tokens into events, and the rest of them when it is flushed', () => {
  const { made, events } = report();
  made.flush();
  made.progress({ kind: 'token', text: 'ab' });
  made.progress({ kind: 'token', text: 'c' });
  made.flush();
  expect(events).toEqual([
    { kind: 'token', ...at, text: 'a' },
    { kind: 'token', ...at, text: 'b' },
    { kind: 'token', ...at, text: 'c' },
  ]);
  const { made: short, events: none } = report();
  short.progress({ kind: 'token', text: 'a' });
  expect(none).toEqual([]);
});

it('shows lines and progress without secrets', () => {
  const { made, events } = report();
  made.progress({ kind: 'log', text: 'line' });
  made.progress({ kind: 'progress', done: 1, total: 2, text: 'half' } as never);
  made.progress({ kind: 'progress', done: 2, total: 2 } as never);
  expect(events).toEqual([
    { kind: 'log', ...at, text: '<line>' },
    { kind: 'progress', done: 1, total: 2, text: '<half>', ...at },
    { kind: 'progress', done: 2, total: 2, ...at },
  ]);
});

it('shows a thousand lines, and says that there are more', () => {
  const { made, events } = report();
  for (let line = 1; line <= 1_003; line++) made.progress({ kind: 'log', text: `${line}` });
  expect(events).toHaveLength(1_001);
  expect(events.slice(-2)).toMatchObject([{ text: '<1000>' }, { text: 'Further lines are left out.' }]);
});

it('counts tokens without an event', () => {
  const { made, events } = report();
  for (const inputTokens of [2, 3]) made.progress({ kind: 'usage', inputTokens, outputTokens: 10 } as never);
  expect([made.inputTokens, made.outputTokens, events]).toEqual([5, 20, []]);
});

it('reports a retry after the tokens before it', () => {
  const { made, events } = report();
  made.progress({ kind: 'token', text: 'a' });
  made.retrying(2, 'boom');
  expect(events).toEqual([
    { kind: 'token', ...at, text: 'a' },
    { kind: 'node_retrying', ...at, attempt: 2, error: 'message: boom' },
  ]);
  expect([made.node, made.path, made.started]).toEqual(['n', 'outer/n', 5]);
});
