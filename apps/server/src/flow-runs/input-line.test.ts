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
