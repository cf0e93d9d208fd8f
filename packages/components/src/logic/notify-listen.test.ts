import { describe, expect, it } from 'vitest';
import { WEB_TEMPLATES } from '../templates/web-templates.ts';
import { runSpec, textsOf, declaredBy } from '../testing.ts';
import { createChannel } from './channel.ts';
import { notify, listen } from './notify-listen.ts';

const template = WEB_TEMPLATES.find(({ name }) => name === 'notify-and-listen');
const spec = (more = '') => `${template?.spec}  I.input_value: Ada\n${more}`;

describe('Notify and Listen', () => {
  it('pass a value without an edge, in either order', async () => {
    const channel = createChannel();
    expect((await runSpec(spec(), { channel })).text).toContain('Dear Ada');
    const early = createChannel();
    early.send('who', { text: 'Bob' });
    expect((await runSpec('nodes:\n  L: Listen\nconfig:\n  L.context_key: who', { channel: early })).text).toBe('Bob');
  });

  it('give all listeners the value, and each run its own', async () => {
    const channel = createChannel();
    const signal = new AbortController().signal;
    const both = Promise.all([channel.receive('a', signal), channel.receive('a', signal)]);
    channel.send('b', 0);
    channel.send('a', 1);
    expect(await both).toEqual([1, 1]);
    channel.send('a', 2);
    expect(await channel.receive('a', signal)).toBe(2);
  });

  it('fail where no component sends the name, and say what to do', async () => {
    const { failure } = await runSpec(spec('  L.timeout: 1').replace('N.context_key: who', 'N.context_key: other'), {
      channel: createChannel(),
    });
    expect(failure).toMatchObject({
      message: "No component sent 'who' within 1 s.",
      fix: expect.stringContaining('Notify') as string,
    });
    expect((await runSpec(spec())).failure?.message).toContain('cannot send values');
  });

  it('end their wait when the run is cancelled', async () => {
    const abort = new AbortController();
    const alone = 'nodes:\n  L: Listen\nconfig:\n  L.context_key: who';
    const onEvent = ({ kind }: { kind: string }) => kind === 'node_started' && abort.abort();
    const ran = await runSpec(alone, { channel: createChannel() }, { signal: abort.signal, onEvent });
    expect(ran.status).toBe('cancelled');
  });
});

it('declares the ports of notify', () => {
  expect(declaredBy(notify)).toEqual([
    'Notify: none',
    'context_key: text required variables=false',
    'input_value: handle Message Data Table File Any required',
    'result: gives Message Data Table File Any',
  ]);
});

it('shows these texts of notify to people and models', () => {
  expect(textsOf(notify.descriptor)).toEqual([
    'Notify (bell): Sends a value under a name to Listen components of the same run.',
    'logic | send | signal | wireless',
    'context_key: Name',
    'input_value: Value',
    'result: Value',
  ]);
});

it('declares the ports of listen', () => {
  expect(declaredBy(listen)).toEqual([
    'Listen: wait',
    'context_key: text required variables=false',
    'timeout: integer advanced default=60 max=3600 min=1',
    'data: gives Message Data Table File Any',
  ]);
});

it('shows these texts of listen to people and models', () => {
  expect(textsOf(listen.descriptor)).toEqual([
    'Listen (ear): Waits for the value that a Notify component sends under a name, in the same run.',
    'logic | receive | signal | wireless | wait',
    'context_key: Name',
    'timeout: Timeout in seconds',
    'data: Value',
  ]);
});
