import { describeFlowIo, type FlowDocument, type Json } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import { useRun } from '../canvas/run-store.ts';
import { shownValue } from '../runs/shown-value.ts';
import { ValueView } from '../runs/value-view.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { AnswerText } from './answer-text.tsx';

/** The result of a run: one text, or the values of the components at the end of the flow. */
export function FlowOutputs({
  document,
  registry,
  titleOf,
}: {
  document: FlowDocument;
  registry: ComponentsRegistry;
  titleOf: (node: string) => string;
}) {
  const run = useRun();
  const values = describeFlowIo(document, registry).outputs.flatMap(({ id }) =>
    Object.entries((run.nodes[id]?.outputs ?? {}) as Readonly<Record<string, Json>>)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => ({ id, name, value })),
  );
  // The text of the run is longer than that of its events.
  const isText = values.every(({ value }) => shownValue(value).kind === 'text') && values.length <= 1;
  return (
    <section aria-label="Outputs" className="grid grid-cols-1 gap-3 border-t border-line pt-4">
      {isText ? (
        <>
          <AnswerText text={run.text || 'The flow gave no text.'} />
          {run.text !== '' && (
            <div>
              <CopyButton text={run.text} label="Copy" small />
            </div>
          )}
        </>
      ) : (
        values.map(({ id, name, value }, at) => (
          <div key={`${id} ${name}`} className="grid grid-cols-1 gap-1.5">
            {values[at - 1]?.id !== id && <h3 className="text-sm font-medium">{titleOf(id)}</h3>}
            <ValueView value={value} label={`${titleOf(id)}: ${name}`} />
          </div>
        ))
      )}
    </section>
  );
}
