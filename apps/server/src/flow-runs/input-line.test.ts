import { builtinRegistry } from '@croft/components';
import { buildFromSpec } from '@croft/flow';
import { expect, it } from 'vitest';
import { inputLine } from './input-line.ts';

const registry = builtinRegistry();
const NO_SECRETS: ReadonlySet<string> = new Set();

function flowOf(spec: string) {
  let count = 0;
  const built = buildFromSpec(spec, registry, (type) => (count++ === 0 ? type : `${type}${count}`));
  if ('error' in built) throw new Error(`${built.error} ${built.details}`);
  return built.flow;
}

const CHAT = flowOf('name: Chat\nnodes:\n  I: ChatInput\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\n');
const said = (text: unknown, secrets = NO_SECRETS) =>
  inputLine(CHAT, registry, { ChatInput: { input_value: text, session_id: 'a session' } }, secrets);

it('is the input in one line, without the session', () => {
  expect(said(' Where is\n\tmy order? ')).toBe('Where is my order?');
  expect(said('a\0b\u0007c')).toBe('a b c');
});

it('is cut to 160 characters and never inside of one', () => {
  expect(said('x'.repeat(160))).toHaveLength(160);
  expect(said('x'.repeat(5_000_000))).toBe(`${'x'.repeat(159)}…`);
  expect(said(`${'x'.repeat(158)}😀${'y'.repeat(9)}`)).toBe(`${'x'.repeat(158)}…`);
});

it('has no secret of the user, no text of the shape of a key and no value under a secret name', () => {
  expect(said('use canary-of-a-token now', new Set(['canary-of-a-token']))).toBe('use *** now');
  expect(said(`${'x'.repeat(150)} canary-of-a-token`, new Set(['canary-of-a-token']))).not.toContain('canary');
  expect(said('my key is sk-abcdefgh12345678')).not.toContain('abcdefgh');
  expect(said({ password: 'hunter2', user: 'ada' })).toBe('{"password":"***REDACTED***","user":"ada"}');
});

it('is what the flow has where the run gives nothing, and empty where a flow takes nothing', () => {
  const text = flowOf(
    'name: T\nnodes:\n  A: TextInput\n  B: TextInput\n  O: ChatOutput\nedges:\n  A.text -> O.input_value\nconfig:\n  A.input_value: Ada\n  B.input_value: Grace\n',
  );
  expect(inputLine(text, registry, {}, NO_SECRETS)).toBe('Ada · Grace');
  expect(inputLine(text, registry, { TextInput2: { input_value: 'Lin' } }, NO_SECRETS)).toBe('Ada · Lin');
  const reads = flowOf('name: R\nnodes:\n  R: ReadData\nconfig:\n  R.path: sales.csv\n');
  expect(inputLine(reads, registry, {}, NO_SECRETS)).toBe('');
  expect(inputLine(reads, registry, { ReadData: { path: 'other.csv' } }, NO_SECRETS)).toBe('other.csv');
});

it('takes the body of a webhook and not its headers', () => {
  const hook = flowOf(
    'name: H\nnodes:\n  H: Webhook\n  T: TypeConverterComponent\nedges:\n  H.output_data -> T.input_data\n',
  );
  const line = inputLine(
    hook,
    registry,
    { Webhook: { data: { order: 7 }, headers: { authorization: 'Bearer x' } } },
    NO_SECRETS,
  );
  expect(line).toContain('{"order":7}');
  expect(line).not.toContain('Bearer');
});

it('takes the values that the run gives, three of a component, and no secret field', () => {
  const hook = flowOf(
    'name: H\nnodes:\n  H: Webhook\n  T: TypeConverterComponent\nedges:\n  H.output_data -> T.input_data\n',
  );
  const given = { a: 1, b: { c: true }, session_id: 's', d: null, e: 'left out' };
  expect(inputLine(hook, registry, { Webhook: given }, NO_SECRETS)).toBe('1 · {"c":true}');
  const text = flowOf(
    'name: T\nnodes:\n  A: TextInput\n  B: TextInput\nconfig:\n  A.input_value: Ada\n  B.input_value: Grace\n',
  );
  expect(inputLine(text, registry, { TextInput: { input_value: '' } }, NO_SECRETS)).toBe('Grace');
  expect(inputLine(text, registry, { TextInput: { input_value: {} } }, NO_SECRETS)).toBe('Grace');
  expect(inputLine(text, registry, { TextInput: { session_id: 's' } }, NO_SECRETS)).toBe('Ada · Grace');
  const secret = { get: (type: string) => secretIn(registry.get(type)) };
  expect(inputLine(text, secret, { TextInput: { input_value: 'x', other: 'y' } }, NO_SECRETS)).toBe('y · Grace');
});

/** The same component with a secret in place of its text. */
function secretIn(entry: ReturnType<typeof registry.get>) {
  if (entry === undefined) return undefined;
  const { descriptor } = entry;
  const fields = descriptor.fields.map((field) =>
    field.name === 'input_value' ? { ...field, kind: 'secret' } : field,
  );
  return { ...entry, descriptor: { ...descriptor, fields } } as typeof entry;
}

it('has only given values of a component that is not known, and stops where the line is full', () => {
  const none = { get: () => undefined };
  expect(inputLine(CHAT, none, { ChatInput: { input_value: 'x' } }, NO_SECRETS)).toBe('x');
  expect(inputLine(CHAT, none, {}, NO_SECRETS)).toBe('');
  const spec = 'name: T\nnodes:\n  A: TextInput\n  B: TextInput\n';
  let reads = 0;
  const counted = Object.defineProperty({}, 'x', { enumerable: true, get: () => reads++ });
  const line = (first: string) =>
    inputLine(
      flowOf(spec),
      registry,
      { TextInput: { input_value: first }, TextInput2: { input_value: counted } },
      NO_SECRETS,
    );
  expect([line('x'.repeat(160)), reads]).toEqual(['x'.repeat(160), 0]);
  line('x'.repeat(159));
  expect(reads).toBeGreaterThan(0);
});
