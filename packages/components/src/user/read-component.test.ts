import { afterAll, expect, it } from 'vitest';
import { knownComponent, readComponent } from './read-component.ts';
import { closeSandbox } from './sandbox-threads.ts';

afterAll(closeSandbox);
const sourceOf = (name: string, more = '') =>
  `export class ${name} extends Component {\n  outputs = [{ name: 'r', method: 'm' }];\n  m() { return 1; }\n}${more}`;

it('reads a source, and remembers exactly that one', async () => {
  const source = sourceOf('Remembered');
  expect(knownComponent(source)).toBeUndefined();
  const read = await readComponent(source);
  expect(read).toMatchObject({ ok: true, component: { className: 'Remembered' } });
  expect(knownComponent(source)).toBe(read);
  expect(await readComponent(source)).toBe(read);
  expect(knownComponent(`${source} `)).toBeUndefined();
});

it('remembers what is wrong, but no large source', async () => {
  const wrong = 'export class 7';
  expect(await readComponent(wrong)).toMatchObject({ ok: false, problems: [{ kind: 'syntax', line: 1 }] });
  expect(knownComponent(wrong)).toMatchObject({ ok: false });
  const large = sourceOf('Large', ' '.repeat(64 * 1024));
  expect(await readComponent(large)).toMatchObject({ ok: true });
  expect(knownComponent(large)).toBeUndefined();
});

it('remembers the last two hundred', async () => {
  const first = sourceOf('First');
  await readComponent(first);
  for (let n = 0; n < 200; n++) await readComponent(`export class X${n}`);
  expect([knownComponent(first), knownComponent('export class X0') !== undefined]).toEqual([undefined, true]);
});

it('ends with its caller', async () => {
  await expect(readComponent(sourceOf('Late'), { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow(
    'stop',
  );
});
