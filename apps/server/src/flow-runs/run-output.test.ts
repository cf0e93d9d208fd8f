import { emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { answerOf } from './run-output.ts';

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
