import type { FlowDocument } from '@croft/flow';
import { useMemo } from 'react';
import type { ComponentsRegistry } from '../api/flows.ts';
import type { NodeView } from '../canvas/node-view.ts';
import type { PickItem } from '../ui/pick-list.tsx';
import { type CommandState, commandsFor, keysOf } from './commands.ts';
import { Keys } from './keys.tsx';
import { PickDialog } from './pick-dialog.tsx';
import type { Command } from './shortcuts.ts';

/** A pick: a command, a component to add, or a component to go to. */
export type Picked = { readonly command: Command } | { readonly add: string } | { readonly show: string };

/** Everything that can be done on the canvas, by name. */
export function CommandDialog({
  flow,
  views,
  registry,
  state,
  onPick,
  onClose,
}: {
  flow: FlowDocument;
  views: ReadonlyMap<string, NodeView>;
  registry: ComponentsRegistry;
  state: CommandState;
  onPick: (picked: Picked) => void;
  onClose: () => void;
}) {
  const { items, picks } = useMemo(() => {
    const found: PickItem[] = [];
    const byId = new Map<string, Picked>();
    const add = (item: PickItem, picked: Picked) => {
      found.push(item);
      byId.set(item.id, picked);
    };
    for (const { command, label, refusal } of commandsFor(state)) {
      const keys = keysOf(command);
      const end = keys && <Keys keys={keys} />;
      add({ id: `do ${command}`, title: label, about: refusal?.(state), group: 'Commands', end }, { command });
    }
    for (const { id } of flow.nodes)
      add({ id: `show ${id}`, title: `Go to ${views.get(id)?.title ?? id}`, group: 'Go to' }, { show: id });
    for (const { descriptor } of state.isReadOnly ? [] : registry.entries) {
      const { type, label, description, legacy } = descriptor;
      const item = { id: `add ${type}`, title: `Add ${label}`, about: description, group: 'Add' };
      if (legacy !== true) add(item, { add: type });
    }
    return { items: found, picks: byId };
  }, [flow, views, registry, state]);
  return (
    <PickDialog
      title="Commands"
      label="Search commands and components"
      items={items}
      empty="No command is possible now."
      onPick={({ id }) => {
        const picked = picks.get(id);
        if (picked) onPick(picked);
      }}
      onClose={onClose}
    />
  );
}
