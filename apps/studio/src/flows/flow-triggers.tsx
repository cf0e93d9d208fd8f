import { CircleAlert, Clock, Globe, Webhook } from 'lucide-react';
import type { FlowSummary } from '../api/flows.ts';
import { formatExactly, formatUntil } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { Badge } from '../ui/badge.tsx';

/** Whether a flow runs without a person who starts it. */
export const runsByItself = ({ triggers: { schedules, webhooks, hasLink } }: FlowSummary): boolean =>
  schedules + webhooks > 0 || hasLink;

/** The triggers of a flow that runs by itself: a link to the page with its schedules, webhooks and public link. */
export function FlowTriggers({ flow }: { flow: FlowSummary }) {
  if (!runsByItself(flow)) return null;
  const { nextAt, webhooks, hasLink, failure } = flow.triggers;
  return (
    <Link
      to={`/flows/${flow.id}/use`}
      className="relative flex flex-wrap gap-1.5 rounded-md @min-[40rem]:max-w-[50%] @min-[40rem]:justify-end"
    >
      {failure !== null && (
        <span title={failure}>
          <Badge tone="bad">
            <CircleAlert size={12} aria-hidden="true" /> Did not start
          </Badge>
        </span>
      )}
      {nextAt !== null && (
        <time dateTime={nextAt} title={formatExactly(nextAt)}>
          <Badge tone="good">
            <Clock size={12} aria-hidden="true" /> Runs {formatUntil(nextAt)}
          </Badge>
        </time>
      )}
      {webhooks > 0 && (
        <Badge tone="good">
          <Webhook size={12} aria-hidden="true" /> {webhooks === 1 ? 'Webhook' : `${webhooks} webhooks`}
        </Badge>
      )}
      {hasLink && (
        <Badge tone="good">
          <Globe size={12} aria-hidden="true" /> Public link
        </Badge>
      )}
    </Link>
  );
}
