import { flowOf } from '../../../../tests/support/tool-context.ts';
import { parseSpec } from '@croft/flow';
import { expect, it } from 'vitest';
import { questionEdits, renamedQuestions, withQuestions } from './approval-questions.ts';

const specOf = (edges: string, config: string) =>
  parseSpec(
    `nodes:\n  I: ChatInput\n  A: HumanApproval\n  P: PromptTemplate\n  V: SaveToFile\n  W: SaveToFile\nedges:\n${edges}config:\n${config}`,
  );
const EDGES = '  I.message -> A.value\n  A.approved -> V.input\n  A.approved -> P.x\n  P.prompt -> W.input\n';
const FILES = '  V.file_name: a.txt\n  W.file_name: b.txt\n';
const question = (edges: string, config: string) =>
  withQuestions(specOf(edges, config)).config.find(({ field }) => field === 'question')?.value;

it.each([
  ['names each file that is written after it, on any path', EDGES, '', 'Write this to a.txt and b.txt?'],
  ['is corrected', EDGES, '  A.question: Write this to a.txt?\n', 'Write this to a.txt and b.txt?'],
  ['does not name files before it', '  I.message -> V.input\n  A.approved -> W.input\n', '', 'Write this to b.txt?'],
  ['is left out where it lets no file be written', '', '  A.question: Write this to a.txt?\n', undefined],
  ['of the user stays', EDGES, '  A.question: Shall I?\n', 'Shall I?'],
])('a question %s', (_name, edges, config, asked) => {
  expect(question(edges, `${config}${FILES}`)).toBe(asked);
});

it('names a file once, and changes nothing that is true already', () => {
  const same = '  V.file_name: a.txt\n  W.file_name: a.txt\n';
  expect(question(EDGES, same)).toBe('Write this to a.txt?');
  const spec = specOf(EDGES, `  A.question: Write this to a.txt?\n${same}`);
  expect(withQuestions(spec)).toBe(spec);
  expect(renamedQuestions({ nodes: [{ id: 'V', type: 'SaveToFile' }], edges: [] }, () => 'x')).toEqual([]);
});

it('ends where a flow goes in a circle', () => {
  const circle = `${EDGES}  P.prompt -> A.value\n`;
  expect(question(circle, FILES)).toBe('Write this to a.txt and b.txt?');
});

it('is an edit of a flow, and stays where no file is written', () => {
  const flow = (file: string) =>
    flowOf(
      `nodes:\n  I: ChatInput\n  A: HumanApproval\n  W: SaveToFile\nedges:\n  I.message -> A.value\n  A.approved -> W.input\nconfig:\n  A.question: Write this to a.txt?\n${file}`,
    );
  expect(questionEdits(flow('  W.file_name: z.txt\n'))).toEqual([
    { kind: 'configure', id: 'A-1', values: { question: 'Write this to z.txt?' } },
  ]);
  expect([questionEdits(flow('  W.file_name: a.txt\n')), questionEdits(flow(''))]).toEqual([[], []]);
});
