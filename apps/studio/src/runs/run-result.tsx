import type { Json } from '@croft/flow';
import type { RunRecord } from '../api/runs.ts';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ResultTextView } from './result-text-view.tsx';
import { ValueView } from './value-view.tsx';

/** The result of a run: its text, and the values of the components at the end of its flow where they are not that text. */
export function RunResult({
  run: { status, text, outputs },
  titleOf,
}: {
  run: RunRecord;
  titleOf: (node: string) => string;
}) {
  if (status !== 'completed') return null;
  const values = Object.entries(outputs ?? {}).flatMap(([node, each]) =>
    Object.entries((each ?? {}) as Readonly<Record<string, Json>>)
      .filter(([, value]) => value !== null && textIn(value) !== text)
      .map(([name, value]) => ({ node, name, value })),
  );
  // The text is then the texts of these components without their names.
  const isSplit = values.length > 1;
  return (
    <Card aria-label="Result">
      <CardHead title="Result" action={text ? <CopyButton text={text} label="Copy" small /> : undefined} />
      <CardBody className="grid grid-cols-1 gap-3">
        {text && !isSplit ? (
          <ResultTextView text={text} label="Text" />
        ) : (
          values.length === 0 && <p className="text-soft">The flow gave no text.</p>
        )}
        {values.map(({ node, name, value }, at) => (
          <div key={`${node} ${name}`} className="grid grid-cols-1 gap-1">
            {values[at - 1]?.node !== node && <span className="text-sm font-medium">{titleOf(node)}</span>}
            <ValueView value={value} label={`${name} of ${titleOf(node)}`} />
          </div>
        ))}
      </CardBody>
    </Card>
  );
}

function textIn(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  const { text } = (value ?? {}) as { readonly text?: Json };
  return typeof text === 'string' ? text : undefined;
}
