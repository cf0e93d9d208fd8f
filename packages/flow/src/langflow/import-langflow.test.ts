import { describe, expect, it } from 'vitest';
import type { Field } from '../component.ts';
import { createRegistry } from '../registry.ts';
import { anyField, anyOutput, fakeComponent } from '../testing.ts';
import { importLangflow } from './import-langflow.ts';

const field = (name: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  kind,
  ...more,
});
const registry = createRegistry([
  fakeComponent('Step', {
    fields: [
      anyField('in'),
      field('text', 'text', { default: 'hello' }),
      field('count', 'integer', { min: 1 }),
      field('from', 'integer', { default: 5, min: 1 }),
      field('file', 'file'),
      field('key', 'secret'),
      field('template', 'multiline'),
      field('mode', 'select', { options: ['a', 'b'], default: 'a' } as Partial<Field>),
      field('more', 'text', { showWhen: { field: 'mode', is: ['b'] } as never }),
      field('list', 'text', { list: true }),
    ],
    descriptor: { label: 'A step' },
  }),
  fakeComponent('Two', { outputs: [anyOutput('one'), anyOutput('two')] }),
  fakeComponent('Loop', { outputs: [anyOutput('item', { loop: true }), anyOutput('done')] }),
]);
type Template = Readonly<Record<string, unknown>>;
const node = (id: string, type: string, template: Template = {}, more: object = {}, data: object = {}) => ({
  id,
  position: { x: 3, y: 4 },
  data: { type, node: { template, ...more }, ...data },
});
const edge = (from: string, to: string) => {
  const [[source, name], [target, fieldName]] = [from.split('.'), to.split('.')];
  return { source, target, data: { sourceHandle: { name }, targetHandle: { fieldName } } };
};
const read = (nodes: object[], edges: object[] = []) =>
  importLangflow({ name: 'F', description: 'D', data: { nodes, edges, viewport: { x: 1, y: 2, zoom: 1 } } }, registry);
const values = (template: Template) => {
  const { flow, findings } = read([node('S', 'Step', template)]);
  return [flow.nodes[0]?.values, findings.map((each) => each.field)];
};

describe('an imported flow', () => {
  it('keeps names, positions, notes and the view', () => {
    const note = {
      ...node('N', 'note', { backgroundColor: 'amber' }, { description: 'Read me' }),
      width: 5,
      height: 6,
    };
    const { flow, findings } = read([node('S', 'Step', {}, { display_name: 'Mine' }), note, node('S', 'Two')]);
    expect(findings).toEqual([]);
    expect(flow).toMatchObject({ name: 'F', description: 'D', viewport: { x: 1, y: 2, zoom: 1 } });
    expect(flow.nodes).toEqual([{ id: 'S', type: 'Step', name: 'Mine', position: { x: 3, y: 4 }, values: {} }]);
    expect(flow.notes).toEqual([
      { id: 'N', position: { x: 3, y: 4 }, size: { width: 5, height: 6 }, text: 'Read me', color: 'amber' },
    ]);
    expect(read([node('N', 'noteNode')]).flow.notes[0]).not.toHaveProperty('color');
  });

  it('places nodes without positions in columns', () => {
    const bare = (id: string) => ({ ...node(id, 'Step'), position: null });
    const { flow } = read([bare('A'), bare('B')], [edge('A.out', 'B.in')]);
    expect(flow.nodes[1]!.position.x).toBeGreaterThan(flow.nodes[0]!.position.x);
  });

  it('keeps a component that there is not, with what it was', () => {
    const strange = node('X', 'Strange', {}, { display_name: 'Odd', tool_mode: true });
    const { flow, findings } = read([strange]);
    expect(flow.nodes).toEqual([
      {
        id: 'X',
        type: 'Strange',
        name: 'Odd',
        position: { x: 3, y: 4 },
        values: {},
        toolMode: true,
        original: strange,
      },
    ]);
    expect(findings).toEqual([
      {
        severity: 'warning',
        code: 'unmapped',
        node: 'X',
        message: "X has the type 'Strange', which this Croft does not have.",
        fix: 'Replace the component. It keeps its connections until then.',
      },
    ]);
    expect(read([node('X', 'Strange', {}, { display_name: 'Step' })]).flow.nodes[0]).toMatchObject({ type: 'Step' });
    expect(read([node('X', 'Strange')]).flow.nodes[0]).not.toHaveProperty('name');
  });

  it('reports edited code, and keeps how a node runs', () => {
    const { flow, findings } = read([
      node('S', 'Step', {}, { edited: true, frozen: true, tool_mode: true, display_name: 'A step' }),
    ]);
    expect(flow.nodes[0]).toEqual({
      id: 'S',
      type: 'Step',
      position: { x: 3, y: 4 },
      values: {},
      toolMode: true,
      run: { frozen: true },
    });
    expect(findings.map(({ code, node: id, message }) => [code, id, message])).toEqual([
      ['unmapped', 'S', "The Python code of S was edited. Croft's own component takes its place."],
    ]);
  });

  it('keeps a selected output where there are several', () => {
    const selected = (type: string, output: string) =>
      read([node('S', type, {}, {}, { selected_output: output })]).flow.nodes[0]?.selectedOutput;
    expect([selected('Two', 'two'), selected('Two', 'none'), selected('Step', 'out')]).toEqual([
      'two',
      undefined,
      undefined,
    ]);
  });

  it('is a tool where an edge gives it as one', () => {
    const { flow } = read([node('S', 'Step'), node('T', 'Step')], [edge('S.component_as_tool', 'T.in')]);
    expect(flow.nodes.map(({ toolMode }) => toolMode)).toEqual([true, undefined]);
  });
});

describe('a value', () => {
  it.each<[string, Template, Record<string, unknown>]>([
    ['is kept', { text: { value: 'Ada' }, count: { value: 3 } }, { text: 'Ada', count: 3 }],
    ['is left out where it is the default', { text: { value: 'hello' }, from: { value: '5' } }, {}],
    ['is left out where it is empty', { text: { value: '' }, list: { value: [] }, template: { value: null } }, {}],
    ['is a number in a text', { count: { value: ' 7 ' } }, { count: 7 }],
    ['is not set at 0, where 0 is too small and no default', { count: { value: 0 } }, {}],
    ['is one file of a list', { file: { value: ['a.txt'] } }, { file: 'a.txt' }],
    [
      'is a list as a text',
      { text: { value: ['a', 'b'] }, list: { value: ['a', 'b'] } },
      { text: 'a, b', list: ['a', 'b'] },
    ],
    ['keeps the name of a variable', { key: { value: 'KEY', load_from_db: true, password: true } }, { key: 'KEY' }],
    ['is shown by another one', { more: { value: 'x' }, mode: { value: 'b' } }, { more: 'x', mode: 'b' }],
    ['is hidden by another one', { more: { value: 'x' }, mode: { value: 'a' } }, {}],
    [
      'has double braces',
      { template: { value: '{{ who }} {x} {{1}}' }, mode: { value: 'mustache' } },
      { template: '{who} {{x}} {{{{1}}}}' },
    ],
    [
      'has double braces by a switch',
      { template: { value: '{{a}}' }, use_double_brackets: { value: true } },
      { template: '{a}' },
    ],
    ['has single braces', { template: { value: '{{a}}' } }, { template: '{{a}}' }],
  ])('%s', (name, template, expected) => {
    const [kept, dropped] = values(template);
    expect(kept).toEqual(expected);
    expect(dropped).toEqual(name === 'has double braces' ? ['mode'] : []);
  });

  it('is left out and reported where it is a secret or wrong', () => {
    const { flow, findings } = read([
      node('S', 'Step', { key: { value: 'sk-1' }, text: { value: 'sk-2', password: true }, count: { value: 'many' } }),
    ]);
    expect(flow.nodes[0]?.values).toEqual({});
    expect(findings.map(({ code, field: name, message, fix }) => [code, name, message, fix])).toEqual([
      [
        'wrong_value',
        'text',
        "'text' of S was a secret in the export and is left out.",
        'Save it as a variable and choose the variable.',
      ],
      [
        'wrong_value',
        'count',
        expect.stringMatching(/^'count' of S .*; the exported value is left out\.$/),
        "Set 'count'.",
      ],
      [
        'wrong_value',
        'key',
        "'key' of S was a secret in the export and is left out.",
        'Save it as a variable and choose the variable.',
      ],
    ]);
  });
});

describe('an edge', () => {
  const edges = (nodes: object[], ...given: object[]) => {
    const { flow, findings } = read(nodes, given);
    return [
      flow.edges.map(({ from, to }) => `${from.node}.${from.port} ${to.node}.${to.port}`),
      findings.filter(({ code }) => code === 'unknown_port').map(({ node: id, field: port }) => `${id}.${port}`),
    ];
  };
  const STEPS = [node('A', 'Step'), node('B', 'Step'), node('L', 'Loop'), node('X', 'Strange')];

  it('is kept once where its ports exist, or a component is not known', () => {
    expect(edges(STEPS, edge('A.out', 'B.in'), edge('A.out', 'B.in'))).toEqual([['A.out B.in'], []]);
    expect(edges(STEPS, edge('X.some', 'B.in'), edge('A.out', 'X.other'))).toEqual([
      ['X.some B.in', 'A.out X.other'],
      [],
    ]);
    expect(edges(STEPS, edge('A.out', 'L.item'))).toEqual([['A.out L.item'], []]);
  });

  it('starts at the first output where its component had only one', () => {
    expect(edges(STEPS, edge('A.output', 'B.in'), edge('X.output', 'B.in'))).toEqual([
      ['A.out B.in', 'X.output B.in'],
      [],
    ]);
  });

  it('is left out where a node or a port is missing', () => {
    expect(edges(STEPS, edge('A.out', 'none.in'), edge('none.out', 'B.in'))).toEqual([[], []]);
    expect(edges(STEPS, edge('A.none', 'B.in'), edge('A.out', 'B.none'), edge('A.out', 'L.done'))).toEqual([
      [],
      ['A.none', 'B.none', 'L.done'],
    ]);
    expect(read(STEPS, [edge('A.out', 'B.none')]).findings.at(-1)).toMatchObject({
      severity: 'warning',
      message: "The edge A.out -> B.none is left out: B has no port 'none' in Croft.",
      fix: 'Connect another port.',
    });
  });
});
