// Requests to croft/offline that name a component by its title.
import { builtinRegistry, TEMPLATES } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { memoryCanvas, offlineTurn } from './testing.ts';

const registry = builtinRegistry();
const ROWS = `name: Rows
nodes:
  A: ReadData
  B: ChatOutput
edges:
  A.dataframe -> B.input_value
config:
  A.path: orders.csv
`;

function canvasOf(spec: string) {
  const built = buildFromSpec(spec, registry);
  if ('error' in built) throw new Error(built.error);
  return memoryCanvas(built.flow);
}

async function send(message: string, canvas = canvasOf(ROWS)) {
  const { end } = await offlineTurn(registry, { message, canvas, templates: TEMPLATES });
  const document = canvas.flow;
  const typeOf = (id: string) => document.nodes.find((node) => node.id === id)?.type;
  return {
    reply: end.result,
    outcome: end.outcome,
    leftOut: end.left_out,
    types: document.nodes.map(({ type }) => type),
    edges: document.edges.map(({ from, to }) => `${typeOf(from.node)} -> ${typeOf(to.node)}`),
  };
}

describe('adds a component that a message names', () => {
  it.each([
    'add a Sort rows component',
    'add a step that sorts the rows',
    'add the "Sort Rows" step',
    'please add a SortRows node to the flow',
  ])('before the output, and says what to set: %s', async (message) => {
    const { reply, outcome, edges } = await send(message);
    expect(edges).toEqual(['ReadData -> SortRows', 'SortRows -> ChatOutput']);
    expect(reply).toContain('Added “Sort rows”, before “Chat output”. Set “Column” in the inspector.');
    expect(outcome).toBe('done');
  });

  it('and does not run it while a value is missing', async () => {
    const { reply, outcome, leftOut, types } = await send('add a Sort rows component, then run it');
    expect(types).toContain('SortRows');
    expect(reply).toContain('Not run: set “Column” in the inspector first.');
    expect({ outcome, leftOut }).toEqual({ outcome: 'partly_done', leftOut: ['run it'] });
  });

  it('without a connection where it starts a flow', async () => {
    const { reply, types, edges } = await send('add a Webhook component');
    expect(types).toEqual(['ReadData', 'ChatOutput', 'Webhook']);
    expect(edges).toEqual(['ReadData -> ChatOutput']);
    expect(reply).toContain('Added “Webhook”, without a connection.');
  });

  it('that starts a flow, to an empty canvas', async () => {
    const { reply, types } = await send('add a Webhook component', memoryCanvas());
    expect(types).toEqual(['Webhook']);
    expect(reply).toContain('Added “Webhook”');
  });

  it('with the values that the message gives', async () => {
    const { reply, edges } = await send('add a step that sorts the rows by amount');
    expect(edges).toEqual(['ReadData -> SortRows', 'SortRows -> ChatOutput']);
    expect(reply).not.toContain('inspector');
  });
});

describe('says why it does not add a component', () => {
  it.each([
    ['add an If-else component', ROWS, 'If-else'],
    [
      'add a Sort rows component',
      'name: Text\nnodes:\n  A: ChatInput\n  B: ChatOutput\nedges:\n  A.message -> B.input_value\n',
      'Sort rows',
    ],
    ['add a Sort rows component', undefined, 'Sort rows'],
  ])('that has no clear place, and how to add it: %s', async (message, spec, title) => {
    const { reply, types, outcome } = await send(message, spec === undefined ? memoryCanvas() : canvasOf(spec));
    expect(types).toHaveLength(spec === undefined ? 0 : 2);
    expect(reply).toContain(`“${title}”`);
    expect(reply).toMatch(/palette/);
    expect(reply).not.toContain('that I know');
    expect(outcome).not.toBe('done');
  });

  it('whose condition it cannot read, without saying that there is none', async () => {
    const { reply, outcome } = await send('add a step that filters rows unless they look odd');
    expect(reply).not.toContain('No component');
    expect(reply).toContain('no rule');
    expect(outcome).not.toBe('done');
  });
});
