import { builtinRegistry } from '@croft/components';
import { emptyFlow, type FlowNode } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { removalIn } from './removal.ts';

const registry = builtinRegistry();
const node = (id: string, type: string, name?: string): FlowNode => ({
  id,
  type,
  position: { x: 0, y: 0 },
  values: {},
  ...(name !== undefined && { name }),
});
const flow = {
  ...emptyFlow(),
  nodes: [
    node('I-1', 'ChatInput'),
    node('S-1', 'SortRows'),
    node('P-1', 'ParserComponent', 'My and yours'),
    node('O-1', 'ChatOutput'),
  ],
};
const removal = (message: string) => removalIn(message, flow, registry);

describe('the components that a message asks to remove', () => {
  it.each([
    ['remove S-1', 'S-1'],
    ['please delete the sort rows step.', 'S-1'],
    ['now get rid of the sorting component', 'S-1'],
    ['take out SortRows', 'S-1'],
    ['throw away "my and yours"', 'P-1'],
    ['remove the step sort', 'S-1'],
  ])('are found in “%s”', (message, id) => {
    expect(removal(message)).toEqual({ ids: [id], leftOut: [] });
  });

  it('are several, each once, beside what names none', () => {
    expect(removal('remove I-1 and the sort step, then delete I-1 and the old files')).toEqual({
      ids: ['I-1', 'S-1'],
      leftOut: ['the old files'],
    });
  });

  it.each(['the chat step', 'all sort steps', 'every sort step', 'the rows', 'my sorted things', 'the step'])(
    'are not “%s”, which names data or several',
    (words) => {
      expect(removal(`remove ${words}`)).toEqual({ ids: [], leftOut: [words] });
    },
  );
});

it.each([
  'sort the rows',
  'remove the connection between I-1 and S-1',
  'remove the lines that contain DEBUG',
  'drop all edges',
])('reads “%s” as something else', (message) => {
  expect(removal(message)).toBeUndefined();
});
