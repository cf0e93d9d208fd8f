import { asSentence } from '@croft/flow';
import { CircleAlert, History, Play, RotateCw } from 'lucide-react';
import { formatMs } from '../canvas/result-text.ts';
import { useNodeRun } from '../canvas/run-store.ts';
import { LogLines } from '../runs/log-lines.tsx';
import { ValueView } from '../runs/value-view.tsx';
import { Button } from '../ui/button.tsx';
import { NameText } from '../ui/name-text.tsx';
import { Callout } from '../ui/state.tsx';
import { AnswerButtons } from './approvals.tsx';
import { useRunFrom } from './run-from.ts';
import { shownOutputs } from './shown-outputs.ts';

/** The result and the log of a node in the last run, and the buttons that run the flow up to it and from it on. */
export function NodeResult({
  id,
  title,
  outputs: ports,
  onRun,
}: {
  id: string;
  title: string;
  /** The outputs of the component, for their labels. */
  outputs: readonly { readonly name: string; readonly label: string }[];
  onRun: (() => void) | undefined;
}) {
  const { status, run, question, isChanged } = useNodeRun(id);
  const runFrom = useRunFrom(id);
  const shown = shownOutputs(run, ports);
  return (
    <section aria-label="Last run" className="grid grid-cols-1 gap-3">
      {(onRun ?? runFrom) && (
        <div className="flex flex-wrap gap-2">
          {onRun && (
            <Button small onClick={onRun}>
              <Play size={14} aria-hidden="true" /> Run up to here
            </Button>
          )}
          {runFrom && (
            <Button small onClick={runFrom}>
              <RotateCw size={14} aria-hidden="true" /> Run from here
            </Button>
          )}
        </div>
      )}
      {question && (
        <Callout tone="warn">
          <p className="mb-2 font-medium">
            <NameText name={question.text} hasLines />
          </p>
          <AnswerButtons question={question} small />
        </Callout>
      )}
      {run?.failure && (
        <Callout
          tone={isChanged ? 'neutral' : 'bad'}
          icon={isChanged ? <History size={16} /> : <CircleAlert size={16} />}
        >
          {isChanged && <p className="font-medium">Error of the last run, before the change</p>}
          <p>{asSentence(run.failure.message)}</p>
          {run.failure.fix && <p className="mt-1">{asSentence(run.failure.fix)}</p>}
        </Callout>
      )}
      {run?.log && <LogLines log={run.log} of={title} />}
      {status === 'done' && shown.length > 0 && (
        <div className="grid grid-cols-1 gap-1.5">
          <h3 className="text-sm text-soft">
            {isChanged ? 'Result of the last run, before the change' : 'Result of the last run'}
            {run?.ms !== undefined && `, ${formatMs(run.ms)}`}
          </h3>
          {shown.map(({ name, label, value }) => (
            <div key={name} className="grid grid-cols-1 gap-1">
              {shown.length > 1 && <h4 className="text-xs text-soft">{label}</h4>}
              <ValueView value={value} label={`Result ${label}`} />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
