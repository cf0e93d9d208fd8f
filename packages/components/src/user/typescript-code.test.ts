import { afterAll, expect, it } from 'vitest';
import { runAlone } from '../testing.ts';
import { readComponent } from './read-component.ts';
import { closeSandbox } from './sandbox-threads.ts';
import { typescriptCode } from './typescript-code.ts';

afterAll(closeSandbox);
const component = typescriptCode();
const SAMPLE = component.descriptor.fields[0]?.default as string;
const OWN =
  "export class Own extends Component {\n  inputs = [{ name: 'n', kind: 'number' }];\n  outputs = [{ name: 'out', types: ['Data'], method: 'm' }];\n  m() { return { a: this.n }; }\n}";
const namesOf = (ports: ReturnType<NonNullable<typeof component.ports>> | undefined) => [
  ports?.fields?.map(({ name }) => name),
  ports?.outputs?.map(({ name }) => name),
];

it('runs its sample', async () => {
  const { outputs } = await runAlone(component, { code: SAMPLE, value: 'hello' }, {}, { wanted: new Set(['result']) });
  expect(outputs).toEqual({ result: { text: 'HELLO' } });
  expect(component.descriptor.fields.map(({ name }) => name)).toEqual(['code', 'value', 'wait_for']);
  expect(component.descriptor.outputs.map(({ name }) => name)).toEqual(['result']);
});

it('has the ports of its code once that was read', async () => {
  expect(component.ports?.({ code: OWN })).toEqual({});
  const read = await readComponent(OWN);
  expect(namesOf(component.ports?.({ code: OWN }))).toEqual([['code', 'n', 'wait_for'], ['out']]);
  expect([component.ports?.({ code: SAMPLE }), component.ports?.({}), component.ports?.({ code: 7 })]).toEqual([
    {},
    {},
    {},
  ]);
  const unread = `${OWN} `;
  const ofFlow = typescriptCode(new Map(read.ok ? [[unread, read.component]] : []));
  expect(namesOf(ofFlow.ports?.({ code: unread }))).toEqual([['code', 'n', 'wait_for'], ['out']]);
});

it('has no ports of code that cannot be used', async () => {
  await readComponent('export class');
  expect(component.ports?.({ code: 'export class' })).toEqual({});
});
