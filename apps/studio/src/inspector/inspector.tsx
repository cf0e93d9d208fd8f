import { type Edit, type FlowDocument, type FlowNode, type Json, portsOf, type PortRef } from '@croft/flow';
import { ChevronDown, CircleAlert, X } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import type { ComponentsRegistry, Finding } from '../api/flows.ts';
import type { NodeView } from '../canvas/node-view.ts';
import { useNodeRun } from '../canvas/run-store.ts';
import { IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Callout } from '../ui/state.tsx';
import { FieldRow } from './field-row.tsx';
import { useMcpTools, withToolSchema } from './mcp-tools.ts';
import { isProminent, type NodeField, nodeFields, sourcesOf, unset, valueEdit } from './node-fields.ts';
import { NewerCode } from './newer-code.tsx';
import { NodeResult } from './node-result.tsx';
import { NodeSettings } from './node-settings.tsx';
import { OriginLine } from './origin-line.tsx';
import { PinnedOutputs } from './pinned-outputs.tsx';
import { PortList } from './port-list.tsx';
import { ScheduleSection } from './schedule-section.tsx';
import { draftInput, isLiveText, useDraft } from './use-draft.ts';
import { WebhookListener } from './webhook-listener.tsx';

/** The properties of the inspector. */
export interface InspectorProps {
  readonly flowId: string;
  /** The stored version below unsaved edits. */
  readonly version: number;
  readonly flow: FlowDocument;
  readonly descriptors: ComponentsRegistry;
  readonly nodeId: string;
  /** How the canvas shows the components. */
  readonly views: ReadonlyMap<string, NodeView>;
  /** Applies edits as one step. */
  readonly apply: (edits: readonly Edit[]) => unknown;
  /** Problems of the flow. */
  readonly findings: readonly Finding[];
  readonly isReadOnly: boolean;
  /** Leads to another component. */
  readonly onShow: (node: string) => void;
  readonly onClose: () => void;
  /** Runs the node and what leads to it; absent while a run is under way. */
  readonly onRunNode?: (() => void) | undefined;
}

/** One component: its name, fields, ports and options. Each change is one edit. */
export function Inspector({ flow, descriptors, nodeId, views, apply, findings, isReadOnly, ...page }: InspectorProps) {
  const { flowId, version, onShow, onClose, onRunNode } = page;
  const node = flow.nodes.find(({ id }) => id === nodeId);
  const entry = node && descriptors.get(node.type);
  const fields = useMemo(() => (node && entry ? nodeFields(flow, node, entry) : []), [flow, node, entry]);
  const mcp = useMcpTools(node?.type, fields);
  const { run, isChanged } = useNodeRun(nodeId);
  const first = useRef(new Map<string, boolean>());
  if (!node) return null;
  const edit = (one: Edit | undefined) => one && apply([one]);
  const titleOf = ({ node: id, port }: PortRef) => {
    const view = views.get(id);
    const ports = [...(view?.outputs ?? []), ...(view?.inputs ?? [])];
    return `${view?.title ?? id} · ${ports.find(({ name }) => name === port)?.label ?? port}`;
  };
  const view = views.get(node.id);
  const own = findings.filter((each) => each.node === node.id);
  const ofField = (name: string) => own.find((each) => each.field === name && each.severity === 'error');
  const elsewhere = own.filter((each) => !fields.some(({ field }) => field.name === each.field));
  // Decided once: a field that moved while its text is typed would lose the focus.
  const isFirst = (each: NodeField) => {
    const { name } = each.field;
    const decided = first.current.get(name) ?? isProminent(each, ofField(name) !== undefined);
    first.current.set(name, decided);
    return decided;
  };
  const row = (each: NodeField) => (
    <FieldRow
      key={each.field.name}
      flowId={flowId}
      node={node}
      nodeField={withToolSchema(each, node.values['tool'], mcp)}
      mcp={mcp}
      finding={ofField(each.field.name)}
      failure={isChanged ? undefined : run?.failure?.message}
      isReadOnly={isReadOnly}
      titleOf={titleOf}
      onValue={(value: Json) => edit(valueEdit(node, each.field, value))}
      onReset={() => edit(unset(node.id, each.field.name))}
      onShow={onShow}
    />
  );
  const rest = fields.filter((each) => !isFirst(each));
  return (
    <section
      aria-label={`Component ${view?.title ?? node.id}`}
      data-component={node.id}
      tabIndex={-1}
      className="grid outline-none grid-cols-1 content-start gap-5"
    >
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="truncate text-lg font-semibold tracking-tight">{view?.title}</h2>
          <p className="text-sm text-soft first-letter:uppercase">
            {view?.title === view?.kind ? view?.category : view?.kind}
          </p>
        </div>
        <IconButton label="Close the component" className="-mt-1 -mr-1" onClick={onClose}>
          <X size={17} />
        </IconButton>
      </header>
      {entry && <p className="text-sm">{entry.descriptor.description}</p>}
      {elsewhere.map((finding) => (
        <Callout
          key={`${finding.code} ${finding.message}`}
          tone={finding.severity === 'error' ? 'bad' : 'warn'}
          icon={<CircleAlert size={16} />}
        >
          {finding.message} {finding.fix}
        </Callout>
      ))}
      <NewerCode {...{ flow, node, isReadOnly, apply }} />
      {entry && (
        <NodeResult id={node.id} title={view?.title ?? node.id} outputs={view?.outputs ?? []} onRun={onRunNode} />
      )}
      {node.type === 'Webhook' && !isReadOnly && <WebhookListener {...{ flowId, version, node, apply }} />}
      {node.type === 'ScheduleTrigger' && !isReadOnly && <ScheduleSection {...{ flowId, version }} />}
      <NameField node={node} title={view?.kind ?? node.type} isReadOnly={isReadOnly} onEdit={edit} />
      {fields.filter(isFirst).map(row)}
      {rest.length > 0 && (
        <More title={rest.length === 1 ? '1 more field' : `${rest.length} more fields`}>{rest.map(row)}</More>
      )}
      {entry && (
        <More title="Run options">
          <NodeSettings node={node} entry={entry} isReadOnly={isReadOnly} onEdit={edit} />
          <PinnedOutputs node={node} outputs={portsOf(node, entry).outputs} isReadOnly={isReadOnly} onEdit={edit} />
        </More>
      )}
      {view && (
        <More title="Inputs and outputs">
          <PortList
            label="Inputs"
            ports={view.inputs}
            connected={sourcesOf(flow, node.id)}
            titleOf={titleOf}
            onShow={onShow}
          />
          <PortList
            label="Outputs"
            ports={view.outputs}
            connected={targetsOf(flow, node.id)}
            titleOf={titleOf}
            onShow={onShow}
          />
        </More>
      )}
      <OriginLine flowId={flowId} nodeId={node.id} />
    </section>
  );
}

function NameField({
  node: { id, name = '' },
  title,
  isReadOnly,
  onEdit,
}: {
  node: FlowNode;
  /** Used without a name. */
  title: string;
  isReadOnly: boolean;
  onEdit: (edit: Edit) => void;
}) {
  const draft = useDraft(
    name,
    (text) => {
      const next = text.trim();
      if (next !== name) onEdit({ kind: 'rename', id, name: next === '' ? null : next });
    },
    isLiveText,
  );
  return (
    <Field label="Name">
      {(control) => (
        <Input
          {...control}
          maxLength={200}
          autoComplete="off"
          placeholder={title}
          disabled={isReadOnly}
          {...draftInput(draft)}
        />
      )}
    </Field>
  );
}

/** A part that is closed until the reader opens it. */
function More({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-t border-line pt-3">
      <summary className="flex cursor-pointer list-none items-center justify-between rounded-sm text-sm font-medium">
        {title}
        <ChevronDown size={16} aria-hidden="true" className="text-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="mt-4 grid grid-cols-1 gap-5">{children}</div>
    </details>
  );
}

/** The inputs that a node is connected to, by its outputs. */
function targetsOf({ edges }: FlowDocument, id: string): ReadonlyMap<string, readonly PortRef[]> {
  const found = new Map<string, PortRef[]>();
  for (const { from, to } of edges) if (from.node === id) found.set(from.port, [...(found.get(from.port) ?? []), to]);
  return found;
}
