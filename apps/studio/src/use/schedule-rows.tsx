import { Trash2 } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { cronText } from './cron-text.ts';
import { TriggerRow } from './trigger-list.tsx';
import type { Schedule, useSchedules } from './use-schedules.ts';

/** Schedules with their switches and next times. */
export function ScheduleRows({
  schedules,
  actions: { setOn, remove },
  className,
}: {
  schedules: readonly Schedule[];
  actions: Pick<ReturnType<typeof useSchedules>, 'setOn' | 'remove'>;
  className: string;
}) {
  return (
    <ul className={className}>
      {schedules.map(({ id, cron, timeZone, nextAt, ...schedule }) => (
        <TriggerRow
          key={id}
          {...schedule}
          name={cronText(cron)}
          about={
            <>
              {timeZone} · {nextAt ? `next ${timeIn(nextAt, timeZone)}` : 'paused'}
            </>
          }
          onSwitch={(isOn) => void setOn(id, isOn)}
          actions={
            <IconButton label={`Delete ${cronText(cron)}`} className="text-soft" onClick={() => void remove(id)}>
              <Trash2 size={16} />
            </IconButton>
          }
        />
      ))}
    </ul>
  );
}

/** A time as a clock in the time zone shows it. */
const timeIn = (iso: string, timeZone: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));
