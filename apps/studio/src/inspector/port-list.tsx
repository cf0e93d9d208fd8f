import type { PortRef } from '@croft/flow';
import { Link2 } from 'lucide-react';
import { portColor } from '../canvas/graph.ts';
import type { PortView } from '../canvas/node-view.ts';

/** An output that is connected, as a button that leads to its component. */
export function Source({
  source,
  title,
  onShow,
}: {
  source: PortRef;
  /** The component and the output. */
  title: string;
  onShow: (node: string) => void;
}) {
  return (
    <button
      type="button"
      onClick={() => onShow(source.node)}
      className="flex w-fit max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken px-2 py-1 text-left text-sm hovered:bg-hover"
    >
      <Link2 size={14} aria-hidden="true" className="shrink-0 text-soft" />
      <span className="min-w-0 truncate">
        <span className="sr-only">Connected with </span>
        {title}
      </span>
    </button>
  );
}

/** Inputs or outputs of a component, with their types and what they are connected with. */
export function PortList({
  label,
  ports,
  connected,
  titleOf,
  onShow,
}: {
  label: string;
  ports: readonly PortView[];
  /** By the name of the port. */
  connected: ReadonlyMap<string, readonly PortRef[]>;
  titleOf: (ref: PortRef) => string;
  onShow: (node: string) => void;
}) {
  if (ports.length === 0) return null;
  return (
    <section aria-label={label} className="grid gap-2">
      <h3 className="text-sm font-medium text-soft">{label}</h3>
      <ul className="grid gap-2">
        {ports.map((port) => (
          <li key={port.name} className="grid justify-items-start gap-1 text-sm">
            <span className="flex flex-wrap items-center gap-x-2">
              <span
                aria-hidden="true"
                className="size-2.5 shrink-0 rounded-full"
                style={{ background: portColor(port.types) }}
              />
              {port.label}
              <span className="text-soft">
                {port.types.join(' or ')}
                {port.required && ' (required)'}
              </span>
            </span>
            {(connected.get(port.name) ?? []).map((ref) => (
              <Source key={`${ref.node} ${ref.port}`} source={ref} title={titleOf(ref)} onShow={onShow} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
