import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useConfirmed } from '../settings/use-confirmed.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { cronText } from './schedule-times.ts';
import { TriggerRow } from './trigger-list.tsx';
import type { Schedule, useSchedules } from './use-schedules.ts';

/** Schedules with their switches and next times. */
export function ScheduleRows({
  schedules,
  version,
  actions: { setOn, remove, refresh },
  className,
}: {
  schedules: readonly Schedule[];
  /** The version that a schedule accepts when it is changed. */
  version: number | undefined;
  actions: Pick<ReturnType<typeof useSchedules>, 'setOn' | 'remove' | 'refresh'>;
  className: string;
}) {
  const [changed, setChanged] = useState<Schedule>();
  const deletion = useConfirmed({ act: ({ id }: Schedule) => remove(id), refresh });
  return (
    <>
      <ul className={className}>
        {schedules.map((schedule) => (
          <TriggerRow
            key={schedule.id}
            {...schedule}
            name={cronText(schedule.cron)}
            about={
              <>
                {schedule.timeZone} ·{' '}
                {schedule.nextAt ? `next ${timeIn(schedule.nextAt, schedule.timeZone)}` : 'paused'}
              </>
            }
            onSwitch={(isOn) => void setOn(schedule.id, isOn)}
            actions={
              <div className="flex">
                <IconButton
                  label={`Change ${cronText(schedule.cron)}`}
                  className="text-soft"
                  onClick={() => setChanged(schedule)}
                >
                  <Pencil size={16} />
                </IconButton>
                <IconButton
                  label={`Delete ${cronText(schedule.cron)}`}
                  className="text-soft"
                  onClick={() => deletion.ask(schedule)}
                >
                  <Trash2 size={16} />
                </IconButton>
              </div>
            }
          />
        ))}
      </ul>
      {deletion.item && (
        <ConfirmDialog
          title={`Delete “${cronText(deletion.item.cron)}”?`}
          about="The flow no longer starts at this time. Its runs stay."
          action="Delete schedule"
          {...deletion.dialog}
        />
      )}
      {changed && (
        <ScheduleDialog
          flowId={changed.flowId}
          schedule={changed}
          version={version}
          onClose={() => setChanged(undefined)}
        />
      )}
    </>
  );
}

/** A time as a clock in the time zone shows it. */
const timeIn = (iso: string, timeZone: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));
