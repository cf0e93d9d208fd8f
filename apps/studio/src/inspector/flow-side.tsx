import { describeFlowIo, type FlowDocument } from '@croft/flow';
import { type Ref, Suspense, useEffect, useRef } from 'react';
import type { ComponentsRegistry, Finding } from '../api/flows.ts';
import type { EditStore } from '../canvas/edit-state.ts';
import { isAsked, problemsByNode } from '../canvas/findings.ts';
import type { NodeView } from '../canvas/node-view.ts';
import { Outline } from '../canvas/outline.tsx';
import { asksPerson, type RunField, runInputs } from '../canvas/run-fields.ts';
import { RunFailure } from '../canvas/run-failure.tsx';
import { RunPanel } from '../canvas/run-panel.tsx';
import { isUnderWay } from '../canvas/run-state.ts';
import { useRun } from '../canvas/run-store.ts';
import type { useFlowRun } from '../canvas/use-flow-run.ts';
import { loadable } from '../routing/loadable.tsx';
import { focusField } from './focus-field.ts';
import { Inspector, type InspectorProps } from './inspector.tsx';
import { ProblemList } from './problem-list.tsx';
import { runSaved } from './run-saved.ts';
import { SidePanel } from './side-panel.tsx';
import type { useSelected } from './use-selected.ts';
import type { whenSaved } from './when-saved.ts';

const FlowOutputs = loadable(() => import('../playground/flow-outputs.tsx').then((m) => m.FlowOutputs));

/** The column beside the canvas: the run, the selected component, the problems. */
export function FlowSide({
  flowId,
  version,
  flow,
  registry,
  views,
  fields,
  findings,
  isReadOnly,
  edits,
  apply,
  running,
  runForm,
  selected,
  onShow,
}: {
  flowId: string;
  version: number;
  flow: FlowDocument;
  registry: ComponentsRegistry;
  views: ReadonlyMap<string, NodeView>;
  /** Of the run form. */
  fields: readonly RunField[];
  findings: readonly Finding[];
  isReadOnly: boolean;
  edits: Parameters<typeof whenSaved>[0] & Pick<EditStore, 'endStep'>;
  apply: InspectorProps['apply'];
  running: Pick<ReturnType<typeof useFlowRun>, 'run' | 'stop'>;
  runForm: Ref<HTMLFormElement>;
  selected: ReturnType<typeof useSelected>;
  /** Moves the canvas to a component and focuses it. */
  onShow: (node: string) => void;
}) {
  const state = useRun();
  const { failure } = state;
  const box = useRef<HTMLDivElement>(null);
  const { id, tab, wanted, reached } = selected;
  useEffect(() => {
    if (wanted === undefined) return undefined;
    // In the commit that opens it, the tab is still hidden and cannot have the focus.
    const frame = requestAnimationFrame(() => {
      if (box.current && focusField(box.current, wanted.node, wanted.field)) reached();
    });
    return () => cancelAnimationFrame(frame);
  });
  if (flow.nodes.length === 0) return null;
  const run = (...request: Parameters<typeof running.run>) => runSaved(edits, running, ...request);
  const titleOf = (node: string) => views.get(node)?.title ?? node;
  const problems = problemsByNode(findings, fields);
  const shown = findings.map((each) => (isAsked(each, fields) ? { ...each, ...ASKED } : each));
  // The text of the run does not say which component gave which part.
  const isSplit = describeFlowIo(flow, registry).outputs.length > 1;
  const isOpen = id !== undefined && views.has(id);
  return (
    <div ref={box} onBlur={edits.endStep} className="grid min-h-0 grid-cols-1">
      <SidePanel
        tab={tab}
        onTab={selected.setTab}
        problemCount={shown.filter(({ severity }) => severity === 'error').length}
        run={
          <>
            <RunPanel
              flowId={flowId}
              isInTab
              form={runForm}
              fields={fields}
              problems={problems}
              titleOf={titleOf}
              onRun={(values) => void run({ inputs: runInputs(fields, values) }, asksPerson(flow, registry))}
              onStop={() => void running.stop()}
              onShow={onShow}
              result={
                isSplit && (
                  <Suspense>
                    <FlowOutputs document={flow} registry={registry} titleOf={titleOf} />
                  </Suspense>
                )
              }
            />
            <Outline flow={flow} views={views} selected={selected.ids} onShow={selected.open} />
          </>
        }
        component={
          isOpen ? (
            <Inspector
              key={id}
              flowId={flowId}
              version={version}
              flow={flow}
              descriptors={registry}
              nodeId={id}
              views={views}
              apply={apply}
              findings={shown}
              isReadOnly={isReadOnly}
              onShow={selected.open}
              onClose={() => selected.open(undefined)}
              onRunNode={isUnderWay(state) ? undefined : () => void run({ until: id }, false)}
            />
          ) : undefined
        }
        problems={
          <ProblemList
            findings={shown}
            failure={failure && <RunFailure titleOf={titleOf} onShow={(node) => selected.open(node, failure.field)} />}
            onShow={selected.open}
          />
        }
      />
    </div>
  );
}

/** Does not prevent a run that the form of this page starts. */
const ASKED = { severity: 'warning', fix: 'The form of the run asks for it. Set it here to keep it.' } as const;
