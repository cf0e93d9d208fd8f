import { builtinRegistry } from '@croft/components';
import { buildFromSpec, type Component, createRegistry, emptyFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { flowPage } from './flow-page.ts';
import { FILE_WORDS_SPEC } from './testing.ts';

const registry = builtinRegistry();

function flowOf(spec: string, change: (flow: FlowDocument) => FlowDocument = (flow) => flow): FlowDocument {
  const built = buildFromSpec(spec, registry, (_, id) => `${id}-aaaaa`);
  if ('error' in built) throw new Error(built.details);
  return change(built.flow);
}

it('describes a flow in its order, with the names and values that the canvas shows, and no ids', () => {
  const page = flowPage(flowOf(FILE_WORDS_SPEC), registry);
  expect(
    page
      .split('\n')
      .filter((line) => /^\d/.test(line))
      .map((line) => /\*\*(.+?)\*\*/.exec(line)?.[1]),
  ).toEqual(['Read file', 'Text statistics', 'Parser', 'Chat output']);
  expect(page).toContain('# Words of a note');
  expect(page).toContain('- Goes in: **Read file**');
  expect(page).toContain('- Comes out: **Chat output**');
  expect(page).toContain(': `notes.md`');
  expect(page).toContain('`notes.md has {words} words`');
  expect(page).toMatch(/of \*\*Text statistics\*\*/);
  expect(page).not.toContain('aaaaa');
});

it('numbers components of the same name, and shows no secret', () => {
  const keyed: Component = {
    descriptor: {
      type: 'Keyed',
      label: 'Keyed',
      description: 'Has a key.',
      category: 'test',
      effects: ['none'],
      fields: [
        { name: 'key', label: 'Key', kind: 'secret' },
        { name: 'text', label: 'Text', kind: 'text', accepts: ['Message'] },
      ],
      outputs: [{ name: 'out', label: 'Out', types: ['Message'] }],
    },
    run: () => ({}),
  };
  const node = (id: string) => ({ id, type: 'Keyed', position: { x: 0, y: 0 }, values: { key: 'sk-canary' } });
  const edges = [{ from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'text' } }];
  const flow = { ...emptyFlow('Keys'), nodes: [node('a'), node('b')], edges };
  const page = flowPage(flow, createRegistry([...registry.entries, keyed]));
  expect(page).toContain('2. **Keyed (2)**');
  expect(page).toContain('Text: Out of **Keyed**');
  expect(page).not.toContain('sk-canary');
  expect(page).toContain('set, not shown');
});

it('keeps texts of users as text: no heading, link or HTML of theirs', () => {
  const page = flowPage(
    flowOf(FILE_WORDS_SPEC, (flow) => ({
      ...flow,
      name: '<script>x</script>\n# Heading',
      nodes: flow.nodes.map((node) => ({ ...node, name: '[link](https://evil.test)' })),
    })),
    registry,
  );
  expect(page).not.toMatch(/^# Heading/m);
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('[link](');
});

it('is one page with the values and the connections of each step', () => {
  const field = (name: string, kind: string, more = {}) => ({ name, label: `The ${name}`, kind, ...more });
  const step = {
    descriptor: {
      type: 'Step',
      label: 'Step',
      description: 'Does *much*.',
      category: 'test',
      effects: ['none'],
      fields: [
        field('in', 'text', { accepts: ['Message'] }),
        field('on', 'switch'),
        field('off', 'switch'),
        field('same', 'text', { default: 'x' }),
        field('empty', 'text'),
        field('none', 'text'),
        field('model', 'model'),
        field('own', 'model'),
        field('odd', 'model'),
        field('rows', 'json'),
        field('code', 'code'),
        field('tick', 'text'),
        field('lines', 'multiline'),
        field('inline', 'text'),
        field('fenced', 'text'),
        field('long', 'text'),
      ],
      outputs: [{ name: 'out', label: 'The out', types: ['Message'] }],
    },
    run: () => ({}),
  } as unknown as Component;
  const values = {
    in: 'not shown',
    on: true,
    off: false,
    same: 'x',
    empty: '',
    none: null,
    model: [{ provider: 'OpenAI', name: 'small' }],
    own: { name: 'mine' },
    odd: ['x'],
    rows: [{ a: 1 }],
    code: 'class A {}',
    tick: '`a``b',
    lines: 'a\n```\nb',
    inline: 'i'.repeat(80),
    fenced: 'f'.repeat(81),
    long: 'l'.repeat(401),
  };
  const position = { x: 0, y: 0 };
  const flow: FlowDocument = {
    ...emptyFlow('A_b'),
    description: 'For  <me>',
    nodes: [
      { id: 'b', type: 'Step', name: 'Mine', position, values },
      { id: 'a', type: 'Step', name: 'Step', position, values: {} },
      { id: 'gone', type: 'Gone', position, values: { x: 1 } },
      { id: 'c', type: 'Step', position, values: { in: 'shown' } },
    ],
    edges: [
      { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } },
      { from: { node: 'b', port: 'gone' }, to: { node: 'gone', port: 'p' } },
      { from: { node: 'gone', port: 'q' }, to: { node: 'gone', port: 'p' } },
    ],
  };
  expect(flowPage(flow, createRegistry([step])).split('\n')).toEqual([
    '# A\\_b',
    '',
    'For \\<me\\>',
    '',
    '## In and out',
    '',
    '- Goes in: **Step**, **Step (2)**',
    '- Comes out: **Step (2)**',
    '',
    '## Steps',
    '',
    '1. **Step**: Does \\*much\\*.',
    '2. **Step (2)**: Does \\*much\\*.',
    '   - The in: `shown`',
    '3. **Mine** (Step): Does \\*much\\*.',
    '   - The in: The out of **Step**',
    '   - The on: on',
    '   - The off: off',
    '   - The model: `OpenAI/small`',
    '   - The own: `mine`',
    '   - The odd: `["x"]`',
    '   - The rows: `[{"a":1}]`',
    '   - The code: code, see the component',
    '   - The tick: ``` `a``b ```',
    '   - The lines: ',
    '     ````',
    '     a',
    '     ```',
    '     b',
    '     ````',
    `   - The inline: \`${'i'.repeat(80)}\``,
    '   - The fenced: ',
    '     ```',
    `     ${'f'.repeat(81)}`,
    '     ```',
    '   - The long: ',
    '     ```',
    `     ${'l'.repeat(400)}…`,
    '     ```',
    '4. **Gone**',
    '   - p: gone of **Mine**',
    '   - p: q of **Gone**',
    '',
  ]);
});
