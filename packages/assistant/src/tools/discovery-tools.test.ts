import { createRegistry, type Descriptor } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { registry, toolContext } from '../../../../tests/support/tool-context.ts';
import { describeComponent, DISCOVERY_TOOLS, searchComponents } from './discovery-tools.ts';
import { shownTools } from '../testing.ts';

const component = (type: string, more: Partial<Descriptor> = {}) => ({
  descriptor: {
    type,
    label: `The ${type}`,
    description: 'Does it.',
    category: 'logic' as const,
    effects: [],
    fields: [],
    outputs: [],
    ...more,
  },
});
const SMALL = createRegistry([
  component('Zip', { keywords: ['pack'] }),
  component('Mail', { description: 'Sends letters.' }),
  component('Old', { legacy: true }),
]);
const ADVANCED = { fields: [{ name: 'a', label: 'A', kind: 'text' as const, advanced: true }] };
const types = (query: string) => searchComponents(SMALL, query).results.map(({ type }) => type);

describe('a search for components', () => {
  it('looks in names, category, description and keywords, without case, and sorts by type', () => {
    expect([types('LETTERS'), types('pack'), types('the '), types('logic')]).toEqual([
      ['Mail'],
      ['Zip'],
      ['Mail', 'Zip'],
      ['Mail', 'Zip'],
    ]);
    expect(types('')).toEqual(['Mail', 'Zip']);
  });

  it('gives those with most of the words where none has all', () => {
    expect([types('sends packs of letters'), types('pack letters'), types('of xy')]).toEqual([
      ['Mail'],
      ['Mail', 'Zip'],
      [],
    ]);
  });

  it('is shown to a person, with how many more there are', async () => {
    const { call } = await toolContext();
    const all = await call(DISCOVERY_TOOLS, 'search_components');
    const lines = String(all['summary']).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe(`- and ${(all['count'] as number) - 20} more`);
    expect(lines[0]).toMatch(/^- \*\*.+\*\* \(\w+\): /);
    expect(await call(DISCOVERY_TOOLS, 'search_components', { query: 'x'.repeat(101) })).toEqual({
      results: [],
      count: 0,
      summary: `No component has words of “${'x'.repeat(100)}”.`,
    });
  });

  it('gives each component in short, and no line for more where all are shown', async () => {
    const { call } = await toolContext(undefined, { turn: { registry: SMALL } });
    expect(await call(DISCOVERY_TOOLS, 'search_components', { query: 'zip' })).toEqual({
      results: [{ type: 'Zip', category: 'logic', display_name: 'The Zip', description: 'Does it.' }],
      count: 1,
      summary: '- **The Zip** (Zip): Does it.',
    });
    const twenty = createRegistry(Array.from({ length: 20 }, (_, at) => component(`C${at}`)));
    const other = await toolContext(undefined, { turn: { registry: twenty } });
    const { summary } = await other.call(DISCOVERY_TOOLS, 'search_components');
    expect(String(summary).split('\n')).toHaveLength(20);
  });
});

describe('a description of a component', () => {
  it('has its ports, and its fields with what may be set', () => {
    const sort = describeComponent(registry, 'SortRows');
    expect(sort).toEqual({
      type: 'SortRows',
      category: 'processing',
      display_name: 'Sort rows',
      description: 'Sorts rows by a column, and keeps the first ones.',
      outputs: [{ name: 'output', types: ['Table'] }],
      inputs: [{ name: 'df', input_types: ['Table', 'Data'], type: 'handle', required: true }],
      fields: expect.arrayContaining([{ name: 'limit', type: 'integer', default: 0, help: '0 keeps all.' }]),
      advanced_fields: [],
    });
    expect(sort['fields']).toContainEqual(expect.not.objectContaining({ default: '' }));
  });

  it('says which text makes inputs, what an agent fills in, and what is advanced', () => {
    const field = { label: '', kind: 'text' as const };
    const made = createRegistry([
      component('Tool', {
        legacy: true,
        fields: [
          { ...field, name: 'a', toolParameter: true, required: true, options: ['x'] },
          { ...field, name: 'b', variables: false, advanced: true },
          { ...field, name: 'd', variables: false, requiredWhen: { field: 'a', is: ['x'] } },
          { ...field, name: 'c', kind: 'table', columns: [{ name: 'col', label: '', kind: 'text' }] as never },
        ],
        outputs: [{ name: 'out', label: '', types: ['Message'], loop: true }],
      }),
    ]);
    const shown = describeComponent(made, 'Tool');
    expect(shown).toEqual({
      type: 'Tool',
      category: 'logic',
      display_name: 'The Tool',
      description: 'Does it.',
      fields: [
        { name: 'a', type: 'text', required: true, options: ['x'], note: '{name} in the text makes an input' },
        { name: 'd', type: 'text', required_when: { a: ['x'] } },
        { name: 'c', type: 'table', columns: ['col'] },
      ],
      advanced_fields: ['b'],
      legacy: true,
      inputs: [{ name: 'out', type: 'loop' }],
      outputs: [
        { name: 'out', types: ['Message'], allows_loop: true },
        { name: 'component_as_tool', types: ['Tool'], description: 'An agent fills in: a' },
      ],
    });
  });

  it('is short for a person, and names known types where there is none', async () => {
    const { call } = await toolContext();
    const shown = await call(DISCOVERY_TOOLS, 'describe_component', { component_type: 'SortRows' });
    expect(shown['summary']).toBe(
      '**Sort rows** (SortRows): Sorts rows by a column, and keeps the first ones.\n\nFields: Rows, Column, Smallest first, Rows to keep. Outputs: Rows.',
    );
    const small = await toolContext(undefined, { turn: { registry: createRegistry([component('Bare', ADVANCED)]) } });
    expect((await small.call(DISCOVERY_TOOLS, 'describe_component', { component_type: 'Bare' }))['summary']).toBe(
      '**The Bare** (Bare): Does it.\n\nFields: none. Outputs: none.',
    );
    const none = await call(DISCOVERY_TOOLS, 'describe_component', { component_type: 'None' });
    const error = `Unknown component: ${'x'.repeat(100)}. Available: Mail, Old, Zip`;
    expect(describeComponent(SMALL, 'x'.repeat(101))).toEqual({ error, text: error });
    expect(none['error']).toMatch(/^Unknown component: None\. Available: (?:\w+, ){19}\w+$/);
    expect(describeComponent(registry, 'None')).toEqual(none);
  });
});

it('lists templates with the sentence that builds each', async () => {
  const { call } = await toolContext(undefined, {
    turn: { templates: [{ name: 'echo', description: 'x'.repeat(150), spec: '' }] },
  });
  const listed = await call(DISCOVERY_TOOLS, 'list_templates');
  expect(listed).toEqual({
    count: 1,
    templates: [{ name: 'echo', description: 'x'.repeat(140) }],
    summary: `Write one of these to build it:\n\n- use template echo (${'x'.repeat(140)})`,
  });
});

it('keeps its results for the turn, and says what it does', () => {
  expect(DISCOVERY_TOOLS.map((tool) => [tool.label({ component_type: 'X' }), tool.isCached])).toEqual([
    ['Searching components', true],
    ['Reading X', true],
    ['Reading templates', true],
  ]);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(DISCOVERY_TOOLS)).toEqual([
    'search_components | Searching components | cached | Searches the components a flow can be built from. Without a query it lists all of them. | {"type":"object","additionalProperties":false}',
    '- query?: {"type":"string"} Words to search for in names, categories and descriptions.',
    'describe_component | Reading COMPONENT_TYPE | cached | Describes a component type: its inputs, outputs, fields and their types. Call it before you use the type. | {"type":"object","additionalProperties":false}',
    '- component_type: {"type":"string"} The type, as search_components gives it.',
    'list_templates | Reading templates | cached | Lists flows to begin from, with what each does. | {"type":"object","additionalProperties":false}',
  ]);
});
