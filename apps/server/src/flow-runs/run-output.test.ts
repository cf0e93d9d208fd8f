import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { answerOf, outputsOf } from './run-output.ts';

it('cuts the answer of a long table, and reads little more of it', () => {
  let reads = 0;
  const row = Object.defineProperty({}, 'value', { enumerable: true, get: () => (reads++, 'a'.repeat(1_000_000)) });
  const node = { id: 'O', type: 'ChatOutput', position: { x: 0, y: 0 }, values: {} };
  const metrics = { duration_seconds: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  const outputs = { O: { message: Array<object>(60).fill(row) } };
  const run = { status: 'completed' as const, outputs, text: '', metrics };
  const answer = answerOf(run, { ...emptyFlow('Test'), nodes: [node] }, new Set());
  expect(answer.slice(0, 12)).toBe('[{"value":"a');
  expect([answer.length, reads < 30]).toEqual([4 * 1024 * 1024, true]);
});

const metrics = { duration_seconds: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
const runOf = (outputs: Record<string, Record<string, unknown>>, text = 'text') =>
  ({ status: 'completed', outputs, text, metrics }) as never;
const flowWith = (nodes: Record<string, string>) => ({
  ...emptyFlow('Test'),
  nodes: Object.entries(nodes).map(([id, type]) => ({ id, type, position: { x: 0, y: 0 }, values: {} })),
});
const NONE: ReadonlySet<string> = new Set();

it('answers with the texts of all chat outputs in the order of the flow, line by line, without secrets', () => {
  const flow = flowWith({ B: 'ChatOutput', X: 'TextOutput', A: 'ChatOutput', C: 'ChatOutput' });
  const outputs = { A: { message: 'two canary' }, B: { message: 'one' }, X: { text: 'other' } };
  expect(answerOf(runOf(outputs), flow, new Set(['canary']))).toMatch(/^one\ntwo [^c]+$/);
  expect(answerOf(runOf({ X: { text: 'other' } }), flow, NONE)).toBe('text');
  expect(answerOf(runOf({ B: { message: { a: 1 }, more: 'x' } }), flow, NONE)).toBe('{"a":1}\nx');
});

it('cuts an answer of several outputs after 4 Mi characters, and reads no output after that', () => {
  const flow = flowWith({ A: 'ChatOutput', B: 'ChatOutput', C: 'ChatOutput' });
  const most = 4 * 1024 * 1024;
  const whole = answerOf(runOf({ A: { m: 'a'.repeat(most - 2) }, B: { m: 'b' } }), flow, NONE);
  expect([whole.length, whole.slice(-3)]).toEqual([most, 'a\nb']);
  let reads = 0;
  const last = { m: { toJSON: () => (reads++, 'c') } };
  const cut = answerOf(runOf({ A: { m: 'a'.repeat(most) }, B: { m: 'b' }, C: last }), flow, NONE);
  expect([cut, reads]).toEqual(['a'.repeat(most), 0]);
});

it('gives outputs as JSON without secrets, and previews of those that are large or have none', () => {
  const secrets = new Set(['canary']);
  const date = new Date(0);
  expect(outputsOf(runOf({ A: { at: date, n: 1 } }), secrets)).toEqual({ A: { at: date.toISOString(), n: 1 } });
  expect(JSON.stringify(outputsOf(runOf({ A: { text: 'my canary' } }), secrets))).toMatch(
    /^{"A":{"text":"my [^"]+"}}$/,
  );
  expect(JSON.stringify(outputsOf(runOf({ A: { text: 'my canary' } }), secrets))).not.toContain('canary');
  const most = 4 * 1024 * 1024 - '{"A":{"t":""}}'.length;
  const exact = outputsOf(runOf({ A: { t: 'x'.repeat(most) } }), NONE) as { A: { t: string } };
  expect(exact.A.t.length).toBe(most);
  expect(JSON.stringify(outputsOf(runOf({ A: { t: 'x'.repeat(most + 1) } }), NONE)).length).toBeLessThan(most);
  const circle: Record<string, unknown> = { text: 'canary' };
  circle['self'] = circle;
  const shown = outputsOf(runOf({ A: circle }), secrets);
  expect(Object.keys(shown)).toEqual(['A']);
  expect(JSON.stringify(shown)).not.toContain('canary');
});
