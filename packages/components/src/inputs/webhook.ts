import type { Field, Output } from '@croft/flow';
import { ComponentError, type CroftComponent } from '../services.ts';
import { isRow, type Row } from '../values.ts';

const part = (name: string, label: string, help: string): Field => ({
  name,
  label,
  kind: 'json',
  // A text may be JSON.
  schema: { type: ['object', 'string'] },
  default: {},
  advanced: true,
  help,
});
const output = (name: string, label: string): Output => ({ name, label, types: ['Data'] });

/** The request of another system that starts the flow. */
export const webhook: CroftComponent = {
  descriptor: {
    type: 'Webhook',
    label: 'Webhook',
    description: 'Gives the request of another system that started the flow.',
    category: 'input and output',
    icon: 'webhook',
    keywords: ['trigger', 'http', 'callback', 'post', 'github', 'event', 'receive', 'arrive', 'json'],
    boundary: 'trigger',
    effects: ['none'],
    fields: [
      {
        name: 'data',
        label: 'Body',
        kind: 'json',
        default: {},
        help: 'A sample for trying the flow. A request to an address of the flow replaces it.',
      },
      part('query', 'Query', 'The part of the address after the question mark, as a sample.'),
      part('headers', 'Headers', 'Headers without secrets, as a sample.'),
    ],
    outputs: [output('output_data', 'Body'), output('query', 'Query'), output('headers', 'Headers')],
  },
  run: ({ inputs }) => ({
    output_data: bodyOf(inputs['data']),
    query: requireRow(inputs['query'], 'Query'),
    headers: requireRow(inputs['headers'], 'Headers'),
  }),
};

/** An object as it is, also as JSON text; anything else as `payload`. */
function bodyOf(value: unknown): Row {
  if (value === null || value === undefined || value === '') return {};
  const parsed = typeof value === 'string' ? parse(value) : value;
  return isRow(parsed) ? parsed : { payload: parsed };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function requireRow(value: unknown, label: string): Row {
  const row = bodyOf(value);
  if (isRow(value) || !('payload' in row)) return row;
  throw new ComponentError(`${label} is not a JSON object.`, `Write ${label} as names and values: {"name": "value"}.`);
}
