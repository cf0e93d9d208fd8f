import { Component, ComponentError } from './component.ts';

/** One element of a list, by its place. */
export class ListItem extends Component {
  label = 'Item of a list';
  description = 'Gives one row, file or value of a list, by its place.';
  icon = 'list-ordered';
  inputs = [
    { name: 'items', label: 'List', kind: 'handle', accepts: ['Table', 'Data', 'File', 'Any'], required: true },
    {
      name: 'index',
      label: 'Place',
      kind: 'integer',
      default: 1,
      required: true,
      help: '1 is the first one, -1 the last one.',
    },
    {
      name: 'after',
      label: 'Wait for',
      kind: 'handle',
      accepts: ['Message', 'Data', 'Table', 'File', 'Any'],
      list: true,
      gate: true,
      advanced: true,
      help: 'Runs after what is connected here, and not where that branch is not taken.',
    },
  ];
  outputs = [{ name: 'item', label: 'Item', types: ['Any'] }];
  items: unknown;
  index: unknown;

  run() {
    const items = Array.isArray(this.items) ? (this.items as readonly unknown[]) : [this.items];
    const place = Number(this.index);
    const item = items.at(place > 0 ? place - 1 : place);
    if (place === 0 || item === undefined)
      throw new ComponentError(
        `The list has ${items.length} items, and none at place ${place}.`,
        'Set index to a place from 1, or from -1 for the last one.',
      );
    return { item };
  }
}
