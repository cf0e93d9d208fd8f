import type { FlowContent } from '@croft/flow';
import { Lock } from 'lucide-react';
import { Suspense, useMemo, useRef, useState } from 'react';
import type { ComponentsRegistry, FullFlow } from '../api/flows.ts';
import { AssistantDock } from '../assistant/assistant-dock.tsx';
import { ghostsOf } from '../assistant/plan-ghosts.ts';
import { RunProvider } from '../inspector/answer-run.tsx';
import { FlowSide } from '../inspector/flow-side.tsx';
import { createRunFrom, RunFromContext } from '../inspector/run-from.ts';
import { useCodePorts } from '../inspector/use-code-ports.ts';
import { useFindings } from '../inspector/use-findings.ts';
import { useSelected } from '../inspector/use-selected.ts';
import type { FlowDetails } from '../flows/details-dialog.tsx';
import { FlowHead } from '../flows/flow-head.tsx';
import { loadable } from '../routing/loadable.tsx';
import { usePlace } from '../routing/location.ts';
import { PageSkeleton } from '../shell/page-skeleton.tsx';
import { cn } from '../ui/class-names.ts';
import { CanvasEditor } from '../editing/canvas-editor.tsx';
import type { Drawing } from './canvas.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { type Findings, FindingsContext, keptFindings, problemsByNode } from './findings.ts';
import { type Graph, graphOf } from './graph.ts';
import { runFields } from './run-fields.ts';
import { Mark, SaveMark } from './save-mark.tsx';
import { useFlowEdits } from './use-flow-edits.ts';
import { useFlowRun } from './use-flow-run.ts';
import { FIT } from './first-view.ts';

const VersionsView = loadable(() => import('../versions/versions-view.tsx').then((m) => m.VersionsView));

/** One flow: the canvas, beside it the run and the outline; or its versions. */
export function FlowView({ flow, registry: known }: { flow: FullFlow; registry: ComponentsRegistry }) {
  const { document, version, save, canUndo, canRedo, apply, store: edits } = useFlowEdits(flow);
  const registry = useCodePorts(document, known);
  const running = useFlowRun(flow.id, { document, version }, 'canvas');
  const [isLocked, setIsLocked] = useState(false);
  const [plan, setPlan] = useState<FlowContent>();
  const ghosts = useMemo(() => plan && ghostsOf(plan, document, registry), [plan, document, registry]);
  const cannotEdit = flow.access === 'read';
  const isReadOnly = cannotEdit || isLocked;
  const before = useRef<Graph>(undefined);
  const graph = useMemo(
    () => (before.current = graphOf(document, registry, isReadOnly, before.current)),
    [document, registry, isReadOnly],
  );
  const fields = useMemo(() => runFields(document, registry), [document, registry]);
  const findings = useFindings(flow.id, version, document, registry);
  const shownProblems = useRef<Findings>(undefined);
  const problems = useMemo(
    () => (shownProblems.current = keptFindings(shownProblems.current, problemsByNode(findings, fields))),
    [findings, fields],
  );
  const drawing = useRef<Drawing>(undefined);
  const selected = useSelected((id) => {
    drawing.current?.selectDrawn(id === undefined ? [] : [id]);
    if (id !== undefined) void drawing.current?.instance.fitView({ nodes: [{ id }], maxZoom: 1, padding: 0.6 });
  });
  const box = useRef<HTMLDivElement>(null);
  const runForm = useRef<HTMLFormElement>(null);
  const place = usePlace();
  const isVersions = place.path.split('/')[3] === 'versions';
  const shownFirst = place.query.get('component') ?? undefined;
  const titleOf = (id: string) => graph.views.get(id)?.title ?? id;
  const runFrom = createRunFrom({ flow: document, registry, edits, running });
  async function rename(changed: Partial<FlowDetails>) {
    apply([{ kind: 'set_details', ...changed }]);
  }
  function show(id: string) {
    box.current?.scrollIntoView({ block: 'nearest' });
    drawing.current?.selectDrawn([id]);
    // The canvas reports no selection that it had before.
    selected.follow([id]);
    drawing.current?.show(id, true);
  }
  function runNow() {
    selected.setTab('run');
    // A hidden form could not say which value is missing.
    requestAnimationFrame(() => runForm.current?.requestSubmit());
  }
  if (isVersions)
    return (
      <Suspense fallback={<PageSkeleton />}>
        <VersionsView
          id={flow.id}
          flow={document}
          registry={registry}
          isReadOnly={isReadOnly}
          edits={edits}
          apply={apply}
        />
      </Suspense>
    );
  return (
    <RunProvider running={running}>
      <FindingsContext value={problems}>
        <RunFromContext value={runFrom}>
          <div className="flex flex-col md:h-dvh xl:pr-[var(--docked,0px)]">
            <FlowHead
              id={flow.id}
              name={document.name}
              description={document.description}
              onRename={isReadOnly ? undefined : rename}
              actions={
                <>
                  {isLocked && <Locked />}
                  {cannotEdit ? <ReadOnly /> : <SaveMark save={save} onRetry={edits.flush} onDiscard={edits.discard} />}
                  <AssistantDock
                    {...{ document, version, registry, edits, apply }}
                    flowId={flow.id}
                    isReadOnly={cannotEdit}
                    onRun={running.follow}
                    onBuilt={() => void drawing.current?.instance.fitView(FIT)}
                    onLock={setIsLocked}
                    onPlan={setPlan}
                  />
                </>
              }
            />
            <div
              className={cn(
                'grid min-h-0 grow grid-cols-1',
                document.nodes.length > 0 && 'lg:grid-cols-[minmax(0,1fr)_22rem] tight:grid-cols-[minmax(0,1fr)_18rem]',
              )}
            >
              <div
                ref={box}
                className={cn(
                  'min-h-0 max-lg:h-[55dvh]',
                  document.nodes.length > 0
                    ? 'max-md:h-[max(12rem,calc(100dvh-34rem))]'
                    : 'max-md:h-[max(22rem,calc(100dvh-16rem))]',
                )}
              >
                <CanvasEditor
                  flow={document}
                  graph={graph}
                  registry={registry}
                  state={{ canUndo, canRedo }}
                  edits={edits}
                  apply={apply}
                  isReadOnly={isReadOnly}
                  isLocked={isLocked && !cannotEdit}
                  ghosts={ghosts}
                  onReady={(next) => {
                    drawing.current = next;
                    if (shownFirst !== undefined) next.selectDrawn([shownFirst]);
                  }}
                  onSelect={selected.follow}
                  onRun={runNow}
                />
              </div>
              <FlowSide
                flowId={flow.id}
                version={version}
                flow={document}
                registry={registry}
                views={graph.views}
                fields={fields}
                findings={findings}
                isReadOnly={isReadOnly}
                edits={edits}
                apply={apply}
                running={running}
                runForm={runForm}
                selected={selected}
                onShow={show}
              />
            </div>
          </div>
          {save.kind === 'conflict' && (
            <ConflictDialog conflict={save.conflict} titleOf={titleOf} onResolve={edits.resolve} />
          )}
        </RunFromContext>
      </FindingsContext>
    </RunProvider>
  );
}

function Locked() {
  return <Mark icon={<Lock size={15} aria-hidden="true" />}>Locked here while the assistant works</Mark>;
}

function ReadOnly() {
  return (
    <Mark icon={<Lock size={15} aria-hidden="true" />}>Read-only: you can run this flow, and you cannot change it</Mark>
  );
}
