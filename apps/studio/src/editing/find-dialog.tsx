import type { FlowDocument } from '@croft/flow';
import { useMemo } from 'react';
import type { NodeView } from '../canvas/node-view.ts';
import type { PickItem } from '../ui/pick-list.tsx';
import { PickDialog } from './pick-dialog.tsx';

/** Finds a component or note by its name, kind and texts. */
export function FindDialog({
  flow,
  views,
  onShow,
  onClose,
}: {
  flow: FlowDocument;
  views: ReadonlyMap<string, NodeView>;
  onShow: (id: string) => void;
  onClose: () => void;
}) {
  const items = useMemo((): readonly PickItem[] => {
    const components = flow.nodes.map(({ id }) => {
      const view = views.get(id);
      const values = view?.fields.map(({ label, value }) => `${label}: ${value}`) ?? [];
      const kind = view && view.kind !== view.title ? [view.kind] : [];
      return { id, title: view?.title ?? id, about: [...kind, ...values].join(' · '), group: 'Components' };
    });
    const notes = flow.notes.map(({ id, text }) => ({
      id,
      title: text.trim().slice(0, 80) || 'Empty note',
      group: 'Notes',
    }));
    return [...components, ...notes];
  }, [flow, views]);
  return (
    <PickDialog
      title="Find in this flow"
      label="Search names, kinds and values"
      items={items}
      empty="This flow has no components yet."
      onPick={({ id }) => {
        onClose();
        onShow(id);
      }}
      onClose={onClose}
    />
  );
}
