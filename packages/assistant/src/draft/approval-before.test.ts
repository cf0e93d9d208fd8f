import { expect, it } from 'vitest';
import { flowOf, registry } from '../../../../tests/support/tool-context.ts';
import { namesOf, writeAfterApproval, writesIn } from './approval-before.ts';
import { readRequest } from './request-parts.ts';

it.each([
  ['add a step that asks me before it writes out.txt', 'it writes out.txt'],
  ['add a step that asks me', undefined],
  ['it writes out.txt', undefined],
  ['add a step that asks me before it reads out.txt', undefined],
  ['add a step that asks me before it writes out.txt and sorts it', undefined],
])('reads the write of “%s”: %j', (message, text) => {
  expect(writeAfterApproval(readRequest(message))?.text).toBe(text);
});

const flow = flowOf(
  'nodes:\n  I: ChatInput\n  W: SaveToFile\n  V: SaveToFile\n  A: HumanApproval\n  F: SaveToFile\nedges:\n  I.message -> W.input\n  I.message -> V.input\nconfig:\n  W.file_name: a.txt\n  V.file_name: b.txt\n  F.file_name: c.txt\n',
);
const ids = (paths: readonly string[], targets: readonly string[] = []) =>
  writesIn(flow, { paths, targets }, registry).map(({ node }) => node.id);

it('finds the connected components that write, of the files that a request names', () => {
  expect([ids([]), ids(['a.txt']), ids([], ['b.txt']), ids(['c.txt']), ids(['a.txt'], ['b.txt'])]).toEqual([
    ['W-1', 'V-1'],
    ['W-1'],
    ['V-1'],
    [],
    [],
  ]);
  expect(writesIn(flow, { paths: [], targets: [] }, registry)[0]?.edge).toMatchObject({
    to: { node: 'W-1', port: 'input' },
  });
});

it('names them for a person', () => {
  expect(namesOf(writesIn(flow, { paths: [], targets: [] }, registry), registry)).toBe(
    '“Write file” (W-1), “Write file” (V-1)',
  );
});
