import { asSentence, type Failure } from '@croft/flow';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Callout } from '../ui/state.tsx';

/** Why a run failed, where, and what to do. */
export function FailureNote({
  failure: { node, field, message, fix },
  titleOf,
  action,
}: {
  failure: Failure;
  titleOf: (node: string) => string;
  action?: ReactNode;
}) {
  return (
    <Callout tone="bad" role="alert" icon={<CircleAlert size={16} />}>
      {node !== undefined && (
        <p className="font-medium">
          {titleOf(node)}
          {field !== undefined && <> · {field}</>}
        </p>
      )}
      <p>{asSentence(message)}</p>
      {fix && <p className="mt-1">{asSentence(fix)}</p>}
      {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
    </Callout>
  );
}
