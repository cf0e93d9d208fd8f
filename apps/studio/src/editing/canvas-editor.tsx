import type { FlowDocument } from '@croft/flow';
import { useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { ComponentsRegistry } from '../api/flows.ts';
import type { PlanGhosts } from '../assistant/plan-ghosts.ts';
import { Canvas, type Drawing } from '../canvas/canvas.tsx';
import type { EditState, EditStore } from '../canvas/edit-state.ts';
import type { Graph } from '../canvas/graph.ts';
import { PlanOutlines } from '../canvas/plan-outlines.tsx';
import type { Apply } from '../canvas/use-flow-edits.ts';
import { RunFromContext, useWhyNotFrom } from '../inspector/run-from.ts';
import { createCanvasActions, type Place } from './canvas-actions.ts';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import { CommandDialog, type Picked } from './command-dialog.tsx';
import type { CommandState } from './commands.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { type Editing, EditingContext } from './editing-context.ts';
import { EmptyCanvas } from './empty-canvas.tsx';
import type { WireRefusal } from './explain-wire.ts';
import { FindDialog } from './find-dialog.tsx';
import { HelpSheet } from './help-sheet.tsx';
import { Palette } from './palette.tsx';
import { componentsFor, titleOf } from './palette-place.ts';
import { RefusalNote } from './refusal-note.tsx';
import { runCommand } from './run-command.ts';
import { SelectionButtons } from './selection-buttons.tsx';
import type { Command } from './shortcuts.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { createWiringStore, WiringContext } from './wiring.ts';

type Shown = 'find' | 'help' | 'commands' | { readonly connect: string } | { readonly place: Place };

/** The canvas with everything that edits it: toolbar, palette, dialogs, keys. */
export function CanvasEditor({
  flow,
  graph,
  registry,
  state: { canUndo, canRedo },
  edits,
  apply,
  isReadOnly,
  isLocked,
  ghosts,
  onReady,
  onSelect,
  onRun,
}: {
  flow: FlowDocument;
  graph: Graph;
  registry: ComponentsRegistry;
  state: Pick<EditState, 'canUndo' | 'canRedo'>;
  edits: EditStore;
  apply: Apply;
  isReadOnly: boolean;
  isLocked: boolean;
  /** The outlines of an open plan. */
  ghosts?: PlanGhosts | undefined;
  onReady: (drawing: Drawing) => void;
  onSelect: (ids: readonly string[]) => void;
  onRun: () => void;
}) {
  const [shown, setShown] = useState<Shown>();
  const [refusal, setRefusal] = useState<WireRefusal>();
  const [wiring] = useState(createWiringStore);
  const [isArranging, setIsArranging] = useState(false);
  const drawing = useRef<Drawing>(undefined);
  const early = useRef<Command[]>([]); // Given before the drawing was ready.
  const box = useRef<HTMLDivElement>(null);
  const runFrom = useContext(RunFromContext);
  const whyNotFrom = useWhyNotFrom();
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
        onMoves: () => {
          setIsArranging(true);
          setTimeout(() => setIsArranging(false), 400);
        },
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
      ungroup: (id) => actions.ungroup(new Set([id])),
      renameGroup: actions.renameGroup,
      setNote: actions.setNote,
    }),
    [actions],
  );
  const dropped = useCallback<React.ComponentProps<typeof Canvas>['onDropped']>(({ end, at }) => {
    const place = drawing.current?.instance.screenToFlowPosition(at) ?? at;
    const ref = { node: end.node, port: end.port };
    setRefusal(undefined);
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
  const command = (name: Command) => {
    if (!drawing.current) return void early.current.push(name);
    if (name === 'undo' || name === 'redo') setRefusal(undefined);
    runCommand(name, {
      drawing: drawing.current,
      actions,
      editing,
      isReadOnly,
      all: () => graph.nodes.map(({ id }) => id),
      open: (part) => setShown(part === 'add' ? { place: {} } : part),
      run: onRun,
      runFrom: (id) => void runFrom?.start(id),
    });
  };
  function picked(what: Picked) {
    setShown(undefined);
    if ('command' in what) command(what.command);
    else if ('add' in what) actions.add(what.add);
    else {
      drawing.current?.selectDrawn([what.show]);
      drawing.current?.show(what.show, true);
    }
  }
  const commandState = (): CommandState => {
    const { ids, edges: wires } = drawing.current?.selection() ?? { ids: new Set<string>(), edges: [] };
    const components = actions.componentsIn(ids);
    const [only] = components.length === 1 ? components : [];
    const groups = flow.groups.filter(({ id, nodes }) => ids.has(id) || nodes.some((each) => ids.has(each)));
    const items = ids.size - flow.groups.filter(({ id }) => ids.has(id)).length;
    return {
      isReadOnly,
      isEmpty: flow.nodes.length === 0,
      canUndo,
      canRedo,
      items,
      components: components.length,
      edges: wires.length,
      hasGroup: groups.length > 0,
      ...(only !== undefined && { runFrom: { refusal: whyNotFrom(only) } }),
    };
  };
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
            groups={flow.groups}
            actions={isReadOnly ? undefined : actions}
            onReady={(next) => {
              drawing.current = next;
              onReady(next);
              for (const name of early.current.splice(0)) command(name);
            }}
            onSelect={onSelect}
            onDropped={dropped}
          >
            {ghosts && <PlanOutlines ghosts={ghosts} />}
            {!isReadOnly && <CanvasToolbar canUndo={canUndo} canRedo={canRedo} onCommand={command} />}
            {!isReadOnly && <SelectionButtons onCommand={command} />}
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
          {graph.nodes.length === 0 && !place && !ghosts && (
            <EmptyCanvas isReadOnly={isReadOnly} isLocked={isLocked} onAdd={() => command('add')} />
          )}
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
        {shown === 'commands' && (
          <CommandDialog
            flow={flow}
            views={graph.views}
            registry={registry}
            state={commandState()}
            onPick={picked}
            onClose={() => setShown(undefined)}
          />
        )}
      </EditingContext>
    </WiringContext>
  );
}
