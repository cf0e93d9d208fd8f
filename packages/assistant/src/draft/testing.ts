import type { Descriptor } from '@croft/flow';

/** A component that gives a message. */
export const descriptorOf = (type: string, more: Partial<Descriptor> = {}): Descriptor => ({
  type,
  label: type,
  description: '',
  category: 'logic',
  effects: [],
  fields: [],
  outputs: [{ name: 'out', label: 'Out', types: ['Message'] }],
  ...more,
});
