import type { Edit, FlowNode, Json, Output } from '@croft/flow';
import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { useNodeRun } from '../canvas/run-store.ts';
import { Button } from '../ui/button.tsx';
import { DiscardQuestion } from '../ui/discard-question.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { useUnsaved } from '../ui/use-unsaved.ts';
import { Field } from '../ui/field.tsx';
import { readJson } from './read-json.ts';
import { isWhole } from './run-options.ts';

/** The outputs of a node that are fixed by hand. A run uses them and does not start the node. */
export function PinnedOutputs({
  node: { id, pinned = {} },
  outputs,
  isReadOnly,
  onEdit,
}: {
  node: FlowNode;
  outputs: readonly Output[];
  isReadOnly: boolean;
  onEdit: (edit: Edit) => void;
}) {
  const { run } = useNodeRun(id);
  const [writing, setWriting] = useState<{ readonly output: Output; readonly text: string }>();
  const last = (run?.status === 'done' ? run.outputs : undefined) as Readonly<Record<string, Json>> | undefined;
  const pin = (output: string, value: Json) => onEdit({ kind: 'pin_output', id, output, value });
  return (
    <section aria-label="Fixed outputs" className="grid gap-2">
      <h3 className="text-sm font-medium text-soft">Fixed outputs</h3>
      <p className="text-sm text-soft">
        A run uses a fixed value and does not start the component, for example while you work on what follows.
      </p>
      <ul className="grid gap-2">
        {outputs.map((output) => {
          const value = pinned[output.name];
          const latest = last?.[output.name];
          return (
            <li key={output.name} className="grid gap-2 rounded-md border border-line p-2.5 text-sm">
              <p className="flex items-center gap-2 font-medium">
                {value !== undefined && <Pin size={14} aria-hidden="true" className="text-accent" />}
                {output.label}
                {value !== undefined && <span className="font-normal text-soft">fixed</span>}
              </p>
              {value !== undefined && <Shown value={value} />}
              {!isReadOnly && (
                <div className="flex flex-wrap gap-2">
                  {latest !== undefined && latest !== null && (
                    <Button
                      small
                      onClick={() =>
                        isWhole(latest)
                          ? pin(output.name, latest)
                          : setWriting({ output, text: JSON.stringify(latest, null, 2) })
                      }
                    >
                      <Pin size={14} aria-hidden="true" /> Fix the last value
                    </Button>
                  )}
                  <Button small onClick={() => setWriting({ output, text: written(value ?? latest) })}>
                    {value === undefined ? 'Write a value' : 'Edit'}
                  </Button>
                  {value !== undefined && (
                    <Button small onClick={() => onEdit({ kind: 'pin_output', id, output: output.name })}>
                      <PinOff size={14} aria-hidden="true" /> Compute again
                    </Button>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {writing && (
        <WriteValue
          label={writing.output.label}
          text={writing.text}
          onSave={(value) => {
            setWriting(undefined);
            pin(writing.output.name, value);
          }}
          onClose={() => setWriting(undefined)}
        />
      )}
    </section>
  );
}

const written = (value: Json | undefined) => (value === undefined ? '' : JSON.stringify(value, null, 2));
const MAX_SHOWN = 600;

function Shown({ value }: { value: Json }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <p className="line-clamp-4 rounded-sm bg-sunken px-2 py-1 font-mono text-xs [overflow-wrap:anywhere]">
      {text.slice(0, MAX_SHOWN)}
    </p>
  );
}

function WriteValue({
  label,
  text,
  onSave,
  onClose,
}: {
  label: string;
  text: string;
  onSave: (value: Json) => void;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(text);
  const { isLeaving, leave, stay } = useUnsaved(draft !== text, onClose);
  const [problem, setProblem] = useState<string>();
  const isCut = text !== '' && !isCutFree(text);
  function save() {
    const read = readJson(draft);
    if ('problem' in read) setProblem(read.problem);
    else onSave(read.value);
  }
  return (
    <Dialog
      open
      wide
      title={`Fix the output “${label}”`}
      about={isCut ? 'The page has only a shortened copy of the last value. Complete it before you save.' : undefined}
      onClose={leave}
    >
      <Field label="Value, as JSON" hint='A text is written in quotes. A message is {"text": "…"}.' error={problem}>
        {(control) => (
          <textarea
            {...control}
            data-first
            rows={12}
            spellCheck={false}
            value={draft}
            onChange={(event) => {
              setDraft(event.target.value);
              setProblem(undefined);
            }}
            className="w-full rounded-md border border-edge bg-surface px-3 py-2 font-mono text-sm"
          />
        )}
      </Field>
      <DialogFoot>
        <Button look="primary" onClick={save}>
          Fix the value
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </DialogFoot>
      {isLeaving && <DiscardQuestion about="The value was not saved." onDiscard={onClose} onStay={stay} />}
    </Dialog>
  );
}

function isCutFree(text: string): boolean {
  const read = readJson(text);
  return 'problem' in read || isWhole(read.value);
}
