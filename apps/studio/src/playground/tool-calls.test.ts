import { expect, it } from 'vitest';
import { addLine, spread, type Step } from './tool-calls.ts';

const read = (...lines: string[]) => lines.reduce<readonly Step[]>((steps, line) => addLine(steps, 'a', line), []);

it('joins calls of tools with their results, and keeps other lines', () => {
  const steps = read(
    'Calls read_file with {"path":"a.md"}',
    'Calls read_file with {"path":"b.md"}',
    'gpt is not available on OpenAI. Trying mini.',
    'read_file answered: granite\nand lime',
    'read_file failed: no such file',
    'read_file answered: without a call',
  );
  expect(steps).toEqual([
    {
      kind: 'call',
      node: 'a',
      tool: 'read_file',
      input: '{"path":"a.md"}',
      status: 'answered',
      output: 'granite\nand lime',
    },
    { kind: 'call', node: 'a', tool: 'read_file', input: '{"path":"b.md"}', status: 'failed', output: 'no such file' },
    { kind: 'line', node: 'a', text: 'gpt is not available on OpenAI. Trying mini.' },
    { kind: 'line', node: 'a', text: 'read_file answered: without a call' },
  ]);
});

it('does not give a result to a call of another component, and keeps a bounded number of steps', () => {
  const [call, line] = addLine(read('Calls add with {}'), 'b', 'add answered: 3');
  expect([call, line]).toEqual([
    { kind: 'call', node: 'a', tool: 'add', input: '{}', status: 'running' },
    { kind: 'line', node: 'b', text: 'add answered: 3' },
  ]);
  const texts = (many: readonly Step[]) => many.map((step) => (step.kind === 'line' ? step.text : step.tool));
  const lines = Array.from({ length: 250 }, (_, at) => `line ${at}`);
  expect(texts(read(...lines))).toEqual(lines.slice(50));
  expect(texts(read(...lines, 'Calls add with {}'))).toEqual([...lines.slice(51), 'add']);
});

it('spreads JSON over several lines', () => {
  expect([spread('{"a":1}'), spread('{"a":"cut…')]).toEqual(['{\n  "a": 1\n}', '{"a":"cut…']);
});
