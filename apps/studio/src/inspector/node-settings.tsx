import { type Descriptor, type Edit, type FlowNode, isToolCapable, portsOf, type RunOptions } from '@croft/flow';
import { useId } from 'react';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { Switch } from '../ui/switch.tsx';
import { runEdit } from './run-options.ts';
import { draftInput, useDraft } from './use-draft.ts';

/** How a node takes part in a run: as a tool, with which output, and what happens after an error. */
export function NodeSettings({
  node,
  entry,
  isReadOnly,
  onEdit,
}: {
  node: FlowNode;
  entry: { readonly descriptor: Descriptor };
  isReadOnly: boolean;
  onEdit: (edit: Edit) => void;
}) {
  const { id, run = {}, toolMode = false, selectedOutput } = node;
  const outputs = portsOf({ ...node, toolMode: false, run: undefined }, entry).outputs;
  const isChoice = outputs.length > 1 && outputs.every(({ branch, loop }) => branch !== true && loop !== true);
  const setRun = (change: RunOptions) => {
    const edit = runEdit(node, change);
    if (edit) onEdit(edit);
  };
  const { retry, timeoutMs, onError = 'stop' } = run;
  return (
    <div className="grid gap-4">
      {(isToolCapable(entry) || toolMode) && (
        <Toggle
          label="Use as a tool"
          about="An agent calls it. Connect its output “Toolset” with the agent."
          isOn={toolMode}
          disabled={isReadOnly}
          onChange={(enabled) => onEdit({ kind: 'enable_tool_mode', id, enabled })}
        />
      )}
      {isChoice && !toolMode && (
        <Field label="Output" hint="The run computes this output, and others that are connected.">
          {(control) => (
            <Select
              {...control}
              disabled={isReadOnly}
              value={selectedOutput ?? ''}
              onChange={({ target }) =>
                onEdit({ kind: 'select_output', id, output: target.value === '' ? null : target.value })
              }
            >
              <option value="">Those that are connected</option>
              {outputs.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {!toolMode && (
        <Toggle
          label="Freeze"
          about="Runs give its last result again while its inputs and fields are the same, also after a restart. A result that no run uses is kept as long as the history of runs, by default for 30 days."
          isOn={run.frozen === true}
          disabled={isReadOnly}
          onChange={(isOn) => setRun({ frozen: isOn || undefined })}
        />
      )}
      <Field label="After an error">
        {(control) => (
          <Select
            {...control}
            disabled={isReadOnly}
            value={onError}
            onChange={({ target }) => setRun({ onError: target.value as 'stop' | 'continue' | 'port' })}
          >
            <option value="stop">Stop the run</option>
            <option value="continue">Go on without what depends on it</option>
            <option value="port">Send the error to an output “Error”</option>
          </Select>
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Count
          label="Retries"
          placeholder="0"
          max={10}
          disabled={isReadOnly}
          value={retry?.attempts}
          onValue={(attempts) =>
            setRun({ retry: attempts ? { attempts, delayMs: retry?.delayMs ?? 1_000 } : undefined })
          }
        />
        <Count
          label="Timeout, seconds"
          placeholder="none"
          max={86_400}
          disabled={isReadOnly}
          value={timeoutMs === undefined ? undefined : timeoutMs / 1_000}
          onValue={(seconds) => setRun({ timeoutMs: seconds ? Math.round(seconds * 1_000) : undefined })}
        />
      </div>
      {retry && (
        <Count
          label="Seconds before each retry"
          placeholder="0"
          max={600}
          disabled={isReadOnly}
          value={retry.delayMs / 1_000}
          onValue={(seconds) => setRun({ retry: { ...retry, delayMs: Math.round((seconds ?? 0) * 1_000) } })}
        />
      )}
    </div>
  );
}

function Toggle({
  label,
  about,
  isOn,
  disabled,
  onChange,
}: {
  label: string;
  about: string;
  isOn: boolean;
  disabled: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-3">
      <label htmlFor={id} className="text-sm">
        <span className="font-medium">{label}</span>
        <span className="block text-soft">{about}</span>
      </label>
      <Switch id={id} checked={isOn} disabled={disabled} onCheckedChange={onChange} />
    </div>
  );
}

function Count({
  label,
  placeholder,
  max,
  disabled,
  value,
  onValue,
}: {
  label: string;
  placeholder: string;
  max: number;
  disabled: boolean;
  value: number | undefined;
  onValue: (value: number | undefined) => void;
}) {
  const draft = useDraft(value === undefined ? '' : `${value}`, (text) => {
    const number = Number(text);
    onValue(text.trim() === '' || !(number > 0) ? undefined : Math.min(number, max));
  });
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="number"
          min={0}
          max={max}
          step="any"
          placeholder={placeholder}
          disabled={disabled}
          {...draftInput(draft)}
        />
      )}
    </Field>
  );
}
