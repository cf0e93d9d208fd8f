import type { Descriptor } from '@croft/flow';

/** A component that is an input of a flow: one text. */
export const inputOf = (type: string): Descriptor => ({
  type,
  label: type,
  description: '',
  category: 'inputs',
  boundary: 'input',
  effects: ['none'],
  fields: [{ name: 'input_value', label: 'Text', kind: 'text' }],
  outputs: [{ name: 'text', label: 'Text', types: ['Message'] }],
});
