import type { FlowDocument } from '@croft/flow';
import { Plus, Workflow } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ComponentsRegistry } from '../api/flows.ts';
import { Canvas, type Drawing } from '../canvas/canvas.tsx';
import { FIT } from '../canvas/view-buttons.tsx';
import type { EditState, EditStore } from '../canvas/edit-state.ts';
import type { Graph } from '../canvas/graph.ts';
import type { Apply } from '../canvas/use-flow-edits.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/state.tsx';
import { fitsAddition } from './add-component.ts';
import { createCanvasActions, type Place } from './canvas-actions.ts';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { type Editing, EditingContext } from './editing-context.ts';
import { titleIn, type WireRefusal } from './explain-wire.ts';
import { FindDialog } from './find-dialog.tsx';
import { HelpSheet } from './help-sheet.tsx';
import { Palette } from './palette.tsx';
import { RefusalNote } from './refusal-note.tsx';
import type { Command } from './shortcuts.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { createWiringStore, WiringContext } from './wiring.ts';

type Shown = 'find' | 'help' | { readonly connect: string } | { readonly place: Place };

/** The canvas with everything that edits it: toolbar, palette, dialogs, keys. */
export function CanvasEditor({
  flow,
  graph,
  registry,
  state: { canUndo, canRedo },
  edits,
  apply,
  isReadOnly,
  onReady,
  onSelect,
}: {
  flow: FlowDocument;
  graph: Graph;
  registry: ComponentsRegistry;
  state: Pick<EditState, 'canUndo' | 'canRedo'>;
  edits: EditStore;
  apply: Apply;
  isReadOnly: boolean;
  onReady: (drawing: Drawing) => void;
  onSelect: (ids: readonly string[]) => void;
}) {
  const [shown, setShown] = useState<Shown>();
  const [refusal, setRefusal] = useState<WireRefusal>();
  const [wiring] = useState(createWiringStore);
  const [isArranging, setIsArranging] = useState(false);
  const drawing = useRef<Drawing>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(apply);
  latest.current = apply;
  const actions = useMemo(
    () =>
      createCanvasActions({
        edits,
        apply: (list) => {
          setRefusal(undefined);
          return latest.current(list);
        },
        registry,
        surface: () => drawing.current,
        onRefused: setRefusal,
      }),
    [edits, registry],
  );
  const editing = useMemo(
    (): Editing => ({
      insertOn: (edge) => setShown({ place: { from: edge.from, to: edge.to, instead: edge } }),
      disconnect: (edge) => actions.remove({ ids: new Set(), edges: [edge] }),
      openConnect: (connect) => setShown({ connect }),
      duplicate: (id) => actions.duplicate(new Set([id])),
      remove: (id) => actions.remove({ ids: new Set([id]), edges: [] }),
      setNote: actions.setNote,
    }),
    [actions],
  );
  const dropped = useCallback<React.ComponentProps<typeof Canvas>['onDropped']>(({ end, at }) => {
    const place = drawing.current?.instance.screenToFlowPosition(at) ?? at;
    const ref = { node: end.node, port: end.port };
    setShown({
      place:
        end.side === 'output'
          ? { from: ref, at: { x: place.x, y: place.y - 60 } }
          : { to: ref, at: { x: place.x - 248, y: place.y - 60 } },
    });
  }, []);
  const close = () => {
    setShown(undefined);
    // The focus goes back to what is selected, or to the canvas.
    const [id] = drawing.current?.selection().ids ?? [];
    if (id !== undefined) drawing.current?.show(id);
    else box.current?.querySelector<HTMLElement>('.react-flow__pane')?.focus();
  };
  function command(name: Command) {
    const selection = drawing.current?.selection();
    const [first] = selection?.ids ?? [];
    const [edge] = selection?.edges ?? [];
    if (name === 'find' || name === 'help') return setShown(name);
    if (name === 'fit') return void drawing.current?.instance.fitView(FIT);
    if (name === 'show-selected') return first === undefined ? undefined : drawing.current?.show(first, true);
    if (name === 'select-all') return drawing.current?.selectDrawn(graph.nodes.map(({ id }) => id));
    if (isReadOnly) return undefined;
    if (name === 'add') return edge && selection?.ids.size === 0 ? editing.insertOn(edge) : setShown({ place: {} });
    if (name === 'connect') return first === undefined ? undefined : editing.openConnect(first);
    if (name === 'note') return actions.addNote();
    if (name === 'arrange') {
      setIsArranging(true);
      setTimeout(() => setIsArranging(false), 400);
      return actions.arrange();
    }
    if (name === 'remove') return actions.remove();
    if (name === 'duplicate') return actions.duplicate();
    setRefusal(undefined);
    return actions.step(name);
  }
  useCanvasKeys(box, {
    onCommand: command,
    copied: actions.copied,
    onCut: () => !isReadOnly && actions.remove(),
    onPaste: (text) => !isReadOnly && actions.pasteText(text),
  });
  const place = typeof shown === 'object' && 'place' in shown ? shown.place : undefined;
  return (
    <WiringContext value={wiring}>
      <EditingContext value={isReadOnly ? undefined : editing}>
        <div ref={box} className={isArranging ? 'arranging relative h-full' : 'relative h-full'}>
          <Canvas
            graph={graph}
            actions={isReadOnly ? undefined : actions}
            onReady={(next) => {
              drawing.current = next;
              onReady(next);
            }}
            onSelect={onSelect}
            onDropped={dropped}
          >
            {!isReadOnly && <CanvasToolbar canUndo={canUndo} canRedo={canRedo} onCommand={command} />}
            {refusal && (
              <RefusalNote
                refusal={refusal}
                onTake={(list) => {
                  setRefusal(undefined);
                  apply(list);
                }}
                onClose={() => setRefusal(undefined)}
              />
            )}
          </Canvas>
          {graph.nodes.length === 0 && !place && <Empty isReadOnly={isReadOnly} onAdd={() => command('add')} />}
          {place && (
            <Palette
              key={JSON.stringify(place)}
              components={componentsFor(flow, registry, place)}
              title={titleOf(flow, registry, place)}
              onPick={(type) => {
                setShown(undefined);
                actions.add(type, place);
              }}
              onClose={close}
            />
          )}
        </div>
        {typeof shown === 'object' && 'connect' in shown && (
          <ConnectDialog
            flow={flow}
            registry={registry}
            node={shown.connect}
            onConnect={actions.connect}
            onDisconnect={actions.disconnect}
            onClose={() => setShown(undefined)}
          />
        )}
        {shown === 'find' && (
          <FindDialog
            flow={flow}
            views={graph.views}
            onShow={(id) => {
              drawing.current?.selectDrawn([id]);
              drawing.current?.show(id, true);
            }}
            onClose={() => setShown(undefined)}
          />
        )}
        {shown === 'help' && <HelpSheet onClose={() => setShown(undefined)} />}
      </EditingContext>
    </WiringContext>
  );
}

function componentsFor(flow: FlowDocument, registry: ComponentsRegistry, place: Place) {
  const all = registry.entries.map(({ descriptor }) => descriptor);
  if (!place.from && !place.to) return all;
  const fits = fitsAddition(flow, registry, place);
  return all.filter(({ type }) => fits(type));
}

function titleOf(flow: FlowDocument, registry: ComponentsRegistry, { from, to }: Place): string {
  const name = (id: string) => {
    const node = flow.nodes.find((each) => each.id === id);
    return node ? titleIn(node, registry) : id;
  };
  if (from && to) return `Insert between ${name(from.node)} and ${name(to.node)}`;
  if (from) return `Add after ${name(from.node)}`;
  return to ? `Add before ${name(to.node)}` : 'Add component';
}

function Empty({ isReadOnly, onAdd }: { isReadOnly: boolean; onAdd: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center *:pointer-events-auto">
      <EmptyState
        icon={<Workflow size={22} />}
        title="This flow has no components yet"
        action={
          !isReadOnly && (
            <Button onClick={onAdd}>
              <Plus size={16} aria-hidden="true" /> Add the first component
            </Button>
          )
        }
      >
        {isReadOnly ? 'Its owner can add components.' : 'A chat begins with “Chat input” and ends with “Chat output”.'}
      </EmptyState>
    </div>
  );
}
