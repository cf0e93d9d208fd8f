import type { ReactFlowInstance } from '@xyflow/react';
import { useQuery } from '@tanstack/react-query';
import { Check, ChevronLeft, CloudOff, Lock, Workflow } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { type ComponentsRegistry, findingsQuery, type FullFlow } from '../api/flows.ts';
import { Link } from '../routing/link.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { EmptyState } from '../ui/state.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Canvas } from './canvas.tsx';
import { FindingsContext, problemsByNode } from './findings.ts';
import { type CanvasNode, graphOf } from './graph.ts';
import type { SaveState } from './move-queue.ts';
import { Outline } from './outline.tsx';
import { runFields, runInputs } from './run-fields.ts';
import { RunPanel } from './run-panel.tsx';
import { RunStoreContext } from './run-store.ts';
import { useFlowDocument } from './use-flow-document.ts';
import { useFlowRun } from './use-flow-run.ts';

/** One flow: the canvas, beside it the run and the outline. */
export function FlowView({ flow, registry }: { flow: FullFlow; registry: ComponentsRegistry }) {
  const { document, save, move } = useFlowDocument(flow);
  const { store, run, stop } = useFlowRun(flow.id);
  const isReadOnly = flow.access === 'read';
  const graph = useMemo(() => graphOf(document, registry, isReadOnly), [document, registry, isReadOnly]);
  const fields = useMemo(() => runFields(document, registry), [document, registry]);
  const { data: findings } = useQuery(findingsQuery(flow.id, flow.version));
  const problems = useMemo(() => problemsByNode(findings ?? [], fields), [findings, fields]);
  const drawing = useRef<ReactFlowInstance<CanvasNode>>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const titleOf = (id: string) => graph.views.get(id)?.title ?? id;
  function show(id: string) {
    void drawing.current?.fitView({ nodes: [{ id }], maxZoom: 1, padding: 0.6 });
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  }
  return (
    <RunStoreContext value={store}>
      <FindingsContext value={problems}>
        <div className="flex flex-col md:h-dvh">
          <div className="grid gap-1 border-b border-line bg-surface px-4 py-3 md:px-5">
            <Link to="/flows" className="flex w-fit items-center gap-1 rounded-sm text-sm text-soft hovered:text-ink">
              <ChevronLeft size={15} aria-hidden="true" /> All flows
            </Link>
            <PageHead title={document.name} actions={isReadOnly ? <ReadOnly /> : <Saved save={save} />} />
          </div>
          <div className="grid min-h-0 grow grid-cols-1 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <div ref={box} className="min-h-0 max-lg:h-[55dvh]">
              {document.nodes.length + document.notes.length > 0 ? (
                <Canvas
                  graph={graph}
                  onMove={move}
                  onReady={(instance) => {
                    drawing.current = instance;
                  }}
                />
              ) : (
                <EmptyState icon={<Workflow size={22} />} title="This flow has no components yet">
                  Components cannot be added on this page yet. Start from a template, or import a file.
                </EmptyState>
              )}
            </div>
            <div className="grid min-h-0 grid-cols-1 content-start gap-6 overflow-y-auto border-line bg-surface p-4 max-lg:border-t lg:border-l">
              {document.nodes.length > 0 && (
                <>
                  <RunPanel
                    key={flow.id}
                    fields={fields}
                    problems={problems}
                    titleOf={titleOf}
                    onRun={(values) => void run({ inputs: runInputs(fields, values) })}
                    onStop={() => void stop()}
                    onShow={show}
                  />
                  <Outline flow={document} views={graph.views} onShow={show} />
                </>
              )}
            </div>
          </div>
        </div>
      </FindingsContext>
    </RunStoreContext>
  );
}

function ReadOnly() {
  return (
    <Mark icon={<Lock size={15} aria-hidden="true" />}>Read-only: you can run this flow, and you cannot change it</Mark>
  );
}

/** Whether the server has all changes. */
function Saved({ save }: { save: SaveState }) {
  return (
    <span role="status">
      {save === 'saved' && <Mark icon={<Check size={15} aria-hidden="true" />}>Saved</Mark>}
      {save === 'saving' && <Mark icon={<Spinner className="size-3.5" />}>Saving</Mark>}
      {save === 'waiting' && (
        <Mark icon={<CloudOff size={15} aria-hidden="true" />}>Not saved yet. Croft does not answer; trying again</Mark>
      )}
    </span>
  );
}

function Mark({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5 text-sm text-soft">
      {icon}
      {children}
    </span>
  );
}
