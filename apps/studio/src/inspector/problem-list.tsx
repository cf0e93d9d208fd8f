import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Finding } from '../api/flows.ts';

const MAX_SHOWN = 50;

/** The failure of the last run, and the problems that the check of a flow finds. Each leads to its component and field. */
export function ProblemList({
  findings,
  failure,
  onShow,
}: {
  findings: readonly Finding[];
  /** Absent while the last run has not failed. */
  failure: ReactNode | undefined;
  onShow: (node: string, field?: string) => void;
}) {
  return (
    <section aria-label="Problems" className="grid grid-cols-1 gap-2">
      <h2 className="text-lg font-semibold tracking-tight">Problems</h2>
      {failure && (
        <div className="grid grid-cols-1 gap-1.5">
          <h3 className="text-sm font-medium">Error of the last run</h3>
          {failure}
        </div>
      )}
      {findings.length === 0 && (
        <p className="flex items-center gap-1.5 text-sm text-soft">
          {!failure && <CircleCheck size={15} aria-hidden="true" className="shrink-0 text-accent" />}
          The check of the flow finds no problem.{!failure && ' Errors of runs appear here while this page is open.'}
        </p>
      )}
      <ul className="grid grid-cols-1 gap-1">
        {findings.slice(0, MAX_SHOWN).map((finding) => (
          <li key={`${finding.code} ${finding.node} ${finding.field} ${finding.message}`}>
            <Problem finding={finding} onShow={onShow} />
          </li>
        ))}
      </ul>
      {findings.length > MAX_SHOWN && <p className="text-sm text-soft">And {findings.length - MAX_SHOWN} more.</p>}
    </section>
  );
}

function Problem({
  finding: { severity, node, field, message, fix },
  onShow,
}: {
  finding: Finding;
  onShow: (node: string, field?: string) => void;
}) {
  const isError = severity === 'error';
  const Icon = isError ? CircleAlert : TriangleAlert;
  const text = (
    <>
      <Icon
        size={15}
        aria-hidden="true"
        className={isError ? 'mt-0.5 shrink-0 text-bad' : 'mt-0.5 shrink-0 text-warn'}
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="sr-only">{isError ? 'Error: ' : 'Warning: '}</span>
        {message} <span className="text-soft">{fix}</span>
      </span>
    </>
  );
  const look = 'flex w-full gap-2 rounded-md px-2 py-1.5 text-left text-sm';
  if (node === undefined) return <p className={look}>{text}</p>;
  return (
    <button type="button" onClick={() => onShow(node, field)} className={`${look} hovered:bg-hover`}>
      {text}
    </button>
  );
}
