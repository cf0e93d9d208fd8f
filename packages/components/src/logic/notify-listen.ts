import type { Field } from '@croft/flow';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { toText } from '../values.ts';
import type { Channel } from './channel.ts';

const ANY = ['Message', 'Data', 'Table', 'File', 'Any'] as const;
const KEY: Field = { name: 'context_key', label: 'Name', kind: 'text', required: true, variables: false };

/** Sends a value to listeners of the same run. */
export const notify: CroftComponent = {
  descriptor: {
    type: 'Notify',
    label: 'Notify',
    description: 'Sends a value under a name to Listen components of the same run.',
    category: 'logic',
    icon: 'bell',
    keywords: ['send', 'signal', 'wireless'],
    effects: ['none'],
    fields: [KEY, { name: 'input_value', label: 'Value', kind: 'handle', accepts: [...ANY], required: true }],
    outputs: [{ name: 'result', label: 'Value', types: [...ANY] }],
  },
  run({ inputs, services }) {
    requireChannel(services).send(toText(inputs['context_key']), inputs['input_value']);
    return { result: inputs['input_value'] };
  },
};

/** Waits for a value of the same run. */
export const listen: CroftComponent = {
  descriptor: {
    type: 'Listen',
    label: 'Listen',
    description: 'Waits for the value that a Notify component sends under a name, in the same run.',
    category: 'logic',
    icon: 'ear',
    keywords: ['receive', 'signal', 'wireless', 'wait'],
    effects: ['wait'],
    fields: [
      KEY,
      {
        name: 'timeout',
        label: 'Timeout in seconds',
        kind: 'integer',
        default: 60,
        min: 1,
        max: 3_600,
        advanced: true,
      },
    ],
    outputs: [{ name: 'data', label: 'Value', types: [...ANY] }],
  },
  async run({ inputs, services, signal }) {
    const name = toText(inputs['context_key']);
    const seconds = Number(inputs['timeout']);
    const late = AbortSignal.timeout(seconds * 1_000);
    try {
      return { data: await requireChannel(services).receive(name, AbortSignal.any([signal, late])) };
    } catch (error) {
      signal.throwIfAborted();
      if (!late.aborted) throw error;
      throw new ComponentError(
        `No component sent '${name}' within ${seconds} s.`,
        'Add a Notify component with this name that runs in the same run, or raise the timeout.',
      );
    }
  },
};

function requireChannel({ channel }: Services): Channel {
  if (channel) return channel;
  throw new ComponentError('This run cannot send values by name.', 'Run the flow with croft run or on a server.');
}
