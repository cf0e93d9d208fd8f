import type { RunStatus } from '../api/runs.ts';
import { Badge } from '../ui/badge.tsx';
import { STATUS_WORDS } from './run-status.ts';

/** The state of a run. */
export function StatusBadge({ status }: { status: RunStatus }) {
  const { word, tone } = STATUS_WORDS[status];
  return (
    <Badge tone={tone} dot>
      {word}
    </Badge>
  );
}
