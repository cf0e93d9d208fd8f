import { asSentence, type Failure } from '@croft/flow';
import { CircleAlert, History } from 'lucide-react';
import type { ReactNode } from 'react';
import { Callout } from '../ui/state.tsx';

/** Why a run failed, where, and what to do. */
export function FailureNote({
  failure: { node, field, message, fix },
  titleOf,
  action,
  isOutdated = false,
}: {
  failure: Failure;
  titleOf: (node: string) => string;
  /** Whether the component changed since. */
  isOutdated?: boolean;
  action?: ReactNode;
}) {
  return (
    <Callout
      tone={isOutdated ? 'neutral' : 'bad'}
      {...(!isOutdated && { role: 'alert' })}
      icon={isOutdated ? <History size={16} /> : <CircleAlert size={16} />}
    >
      {isOutdated && <p className="text-soft">Before the change:</p>}
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
