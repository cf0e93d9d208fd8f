import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ScheduleDialog } from '../use/schedule-dialog.tsx';
import { ScheduleRows } from '../use/schedule-rows.tsx';
import { useSchedules } from '../use/use-schedules.ts';

/** The times at which the server runs the flow, beside the component that gives the time. */
export function ScheduleSection({
  flowId,
  version,
}: {
  flowId: string;
  /** The version that a schedule accepts. */
  version: number;
}) {
  const labelId = useId();
  const { schedules, ...actions } = useSchedules(flowId, version);
  const [isAdding, setIsAdding] = useState(false);
  if (!schedules) return null;
  return (
    <section aria-labelledby={labelId} className="grid grid-cols-1 gap-2.5 rounded-lg border border-line p-3">
      <h3 id={labelId} className="text-sm font-medium">
        When it runs
      </h3>
      {schedules.length === 0 ? (
        <p className="text-sm text-soft">This flow has no schedule yet, so it runs only when you start it.</p>
      ) : (
        <ScheduleRows
          schedules={schedules}
          version={version}
          actions={actions}
          className="-mx-3 border-y border-line [&>li]:px-3"
        />
      )}
      <Button small className="justify-self-start" onClick={() => setIsAdding(true)}>
        <Plus size={15} aria-hidden="true" /> New schedule
      </Button>
      {isAdding && <ScheduleDialog flowId={flowId} version={version} onClose={() => setIsAdding(false)} />}
    </section>
  );
}
