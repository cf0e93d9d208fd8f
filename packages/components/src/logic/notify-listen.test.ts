import { describe, expect, it } from 'vitest';
import { WEB_TEMPLATES } from '../templates/web-templates.ts';
import { runSpec } from '../testing.ts';
import { createChannel } from './channel.ts';

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
