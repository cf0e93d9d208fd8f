import { afterAll, describe, expect, it } from 'vitest';
import { textStatistics } from '../editable/builtins.ts';
import { builtinSource } from '../editable/sources.ts';
import { runAlone } from '../testing.ts';
import type { ReadComponent } from './sandbox/messages.ts';
import { readComponent } from './read-component.ts';
import { closeSandbox } from './sandbox-threads.ts';
import { editedBuiltin, portsByCode, userComponent } from './user-component.ts';

afterAll(closeSandbox);
const sourceOf = (value: string, input = 'value') =>
  `export class Own extends Component {\n  label = 'Mine';\n  description = 'D.';\n  inputs = [{ name: '${input}', kind: 'text' }];\n  outputs = [{ name: 'r', types: ['Message'], method: 'm' }];\n  m() { return ${value}; }\n}`;
async function read(source: string): Promise<ReadComponent> {
  const outcome = await readComponent(source);
  if (!outcome.ok) throw new Error(outcome.problems[0]?.message);
  return outcome.component;
}
const wanted = { wanted: new Set(['r']) };

describe('a component of a user', () => {
  it('has the texts and ports of its source', async () => {
    const { descriptor } = userComponent(await read(sourceOf('"a"')), sourceOf('"a"'));
    expect(descriptor).toMatchObject({
      type: 'Own',
      label: 'Mine',
      description: 'D.',
      category: 'custom',
      effects: ['code'],
      tool: true,
    });
    expect(descriptor.fields.map(({ name }) => name)).toContain('value');
    expect(descriptor.outputs).toMatchObject([{ name: 'r', types: ['Message'] }]);
    expect(descriptor).not.toHaveProperty('icon');
    expect(
      userComponent({ ...(await read(sourceOf('"a"'))), icon: 'i' }, '', { type: 'Other' }).descriptor,
    ).toMatchObject({ type: 'Other', icon: 'i' });
  });

  it('runs its source, or the code of its node', async () => {
    const component = userComponent(await read(sourceOf('"a"')), sourceOf('"a"'));
    expect((await runAlone(component, {}, {}, wanted)).outputs).toEqual({ r: { text: 'a' } });
    expect((await runAlone(component, {}, {}, { ...wanted, code: sourceOf('"b"') })).outputs).toEqual({
      r: { text: 'b' },
    });
  });
});

it('gives a node with code the ports of that code, and others those without', async () => {
  const code = sourceOf('1', 'other');
  const reads = new Map([[code, await read(code)]]);
  const without = () => ({ fields: [] });
  expect(portsByCode(reads, without)({}, code).fields?.map(({ name }) => name)).toContain('other');
  expect(portsByCode(reads, without)({}, 'unknown')).toEqual({ fields: [] });
  expect(portsByCode(reads, without)({})).toEqual({ fields: [] });
  expect(portsByCode(reads, undefined)({})).toEqual({});
});

it('runs a built-in component in this process unless its node has other code', async () => {
  const called: unknown[] = [];
  const entry = { ...textStatistics, run: () => (called.push(1), { r: 'here' }) };
  const edited = editedBuiltin(entry, new Map());
  expect(edited.descriptor.effects).toEqual(['code']);
  expect((await runAlone(edited, {})).outputs).toEqual({ r: 'here' });
  const own = builtinSource(entry.descriptor.type) as string;
  expect((await runAlone(edited, {}, {}, { code: own })).outputs).toEqual({ r: 'here' });
  expect(called).toHaveLength(2);
  const { outputs } = await runAlone(edited, {}, {}, { ...wanted, code: sourceOf('"round " + this.round'), round: 4 });
  expect([outputs, called.length]).toEqual([{ r: { text: 'round 4' } }, 2]);
});
