import { CalendarClock, Info, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { Callout, EmptyState } from '../ui/state.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleRows } from './schedule-rows.tsx';
import { useSchedules } from './use-schedules.ts';

/** The schedules of a flow, with their next times. */
export function ScheduleCard({
  flowId,
  version,
  waits,
}: {
  flowId: string;
  /** The version that a schedule accepts when it is turned on. */
  version: number | undefined;
  /** Whether a run may wait for a person. */
  waits: boolean;
}) {
  const { schedules, error, refetch, ...actions } = useSchedules(flowId, version);
  const [isAdding, setIsAdding] = useState(false);
  const button = (
    <Button onClick={() => setIsAdding(true)}>
      <Plus size={16} aria-hidden="true" /> New schedule
    </Button>
  );
  return (
    <Card aria-label="Schedules">
      <CardHead
        title="Schedules"
        about="The server runs the flow at these times, with the values of the flow."
        action={schedules && schedules.length > 0 ? button : undefined}
      />
      {!schedules ? (
        <NotLoaded what="schedules" error={error} onRetry={() => void refetch()} />
      ) : schedules.length === 0 ? (
        <EmptyState icon={<CalendarClock size={22} />} title="No schedules" action={button} />
      ) : (
        <ScheduleRows schedules={schedules} version={version} actions={actions} className="border-t border-line" />
      )}
      {waits && (
        <CardBody className="pt-4">
          <Callout tone="neutral" icon={<Info size={16} />}>
            This flow asks a person, and its run waits for the answer under Runs. Times that come meanwhile are skipped,
            unless the schedule starts another run beside it.
          </Callout>
        </CardBody>
      )}
      {isAdding && <ScheduleDialog flowId={flowId} version={version} onClose={() => setIsAdding(false)} />}
    </Card>
  );
}
