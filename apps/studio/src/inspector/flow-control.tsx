import { useInfiniteQuery } from '@tanstack/react-query';
import { flowsQuery } from '../api/flows.ts';
import { Select } from '../ui/input.tsx';
import type { ValueControl } from './text-control.tsx';

/** One of the user's flows, by its id. A name or template that was written by hand stays visible. */
export function FlowControl({ control, value, onValue, disabled }: ValueControl<string>) {
  const { data } = useInfiniteQuery(flowsQuery(''));
  const flows = data?.pages.flatMap((page) => page.flows) ?? [];
  const isKnown = value === '' || flows.some(({ id }) => id === value);
  return (
    <Select {...control} disabled={disabled} value={value} onChange={(event) => onValue(event.target.value)}>
      <option value="">Choose a flow…</option>
      {!isKnown && <option value={value}>{value}</option>}
      {flows.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
