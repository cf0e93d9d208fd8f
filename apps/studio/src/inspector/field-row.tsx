import { type FlowNode, type Json, type PortRef, wrongValue } from '@croft/flow';
import { RotateCcw } from 'lucide-react';
import type { Finding } from '../api/flows.ts';
import { Field } from '../ui/field.tsx';
import { codeProblem } from './code-problems.ts';
import { FieldControl, type FieldControlProps } from './field-control.tsx';
import { CommandControl, ToolControl } from './mcp-control.tsx';
import type { McpTools } from './mcp-tools.ts';
import type { NodeField } from './node-fields.ts';
import { Source } from './port-list.tsx';

/** A field with its label, control, help, problem, and the way back to its default. */
export function FieldRow({
  flowId,
  node,
  nodeField,
  finding,
  failure,
  mcp,
  isReadOnly,
  titleOf,
  onValue,
  onReset,
  onShow,
}: {
  flowId: string;
  node: FlowNode;
  nodeField: NodeField;
  /** The problem of the field in the flow as it is. */
  finding: Finding | undefined;
  /** The error of the node in a run of the node as it is. */
  failure: string | undefined;
  /** Of the component for MCP servers. */
  mcp: McpTools | undefined;
  isReadOnly: boolean;
  titleOf: (ref: PortRef) => string;
  onValue: (value: Json) => void;
  onReset: () => void;
  onShow: (node: string) => void;
}) {
  const { field, value, isOwn, isRequired, sources, variables } = nodeField;
  const isConnected = sources.length > 0;
  const isFilledByModel = node.toolMode === true && field.toolParameter === true;
  const wrong = value === null || value === '' ? undefined : wrongValue(field, value);
  const problem =
    wrong === undefined
      ? finding && (finding.code === 'missing_value' ? 'A value is needed.' : `${finding.message} ${finding.fix}`)
      : `The value ${wrong}.`;
  const isCode = field.kind === 'code';
  const messages = [finding?.message, failure].filter((each) => each !== undefined);
  const label = (
    <>
      {field.label}
      {isRequired && <span className="font-normal text-soft"> (required)</span>}
    </>
  );
  return (
    <div className="relative grid grid-cols-1 gap-1.5" data-field={field.name}>
      {isConnected ? (
        <>
          <p className="text-sm font-medium">{label}</p>
          {sources.map((ref) => (
            <Source key={`${ref.node} ${ref.port}`} source={ref} title={titleOf(ref)} onShow={onShow} />
          ))}
        </>
      ) : (
        <Field label={label} hint={field.help} error={isCode ? undefined : problem}>
          {(control) => (
            <NodeControl
              mcp={mcp}
              control={control}
              field={field}
              place={`${flowId} ${node.id} ${field.name}`}
              value={value}
              problems={isCode ? messages.map(codeProblem) : []}
              disabled={isReadOnly}
              onValue={onValue}
            />
          )}
        </Field>
      )}
      {isFilledByModel && !isConnected && (
        <p className="text-sm text-soft">An agent fills this in when it uses the tool.</p>
      )}
      {variables.length > 0 && <Variables variables={variables} titleOf={titleOf} onShow={onShow} />}
      {isOwn && !isReadOnly && (
        <button
          type="button"
          aria-label={`Reset ${field.label} to its default`}
          title={field.default === undefined ? 'Clear' : 'Reset to default'}
          onClick={onReset}
          className="absolute -top-1 right-0 grid size-7 place-items-center rounded-md text-soft hovered:bg-hover hovered:text-ink"
        >
          <RotateCcw size={14} />
        </button>
      )}
    </div>
  );
}

/** The control of a field; of some fields of `MCPTools` one that knows the server. */
function NodeControl({ mcp, ...rest }: FieldControlProps & { mcp: McpTools | undefined }) {
  const { field, value } = rest;
  const text = value ?? '';
  if (mcp && typeof text === 'string') {
    if (field.name === 'command') return <CommandControl {...rest} value={text} />;
    if (field.name === 'tool') return <ToolControl {...rest} value={text} mcp={mcp} placeholder={field.placeholder} />;
  }
  return <FieldControl {...rest} />;
}

function Variables({
  variables,
  titleOf,
  onShow,
}: {
  variables: NodeField['variables'];
  titleOf: (ref: PortRef) => string;
  onShow: (node: string) => void;
}) {
  return (
    <div className="grid gap-1 text-sm text-soft">
      <p>Names in braces are inputs. Connect each on the canvas.</p>
      <ul aria-label="Inputs in the text" className="grid gap-1">
        {variables.map(({ name, sources }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <code className="rounded-sm bg-accent-soft px-1 font-mono text-xs text-accent-strong">{`{${name}}`}</code>
            {sources.length === 0
              ? 'not connected: stays as it is written'
              : sources.map((ref) => (
                  <Source key={`${ref.node} ${ref.port}`} source={ref} title={titleOf(ref)} onShow={onShow} />
                ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
