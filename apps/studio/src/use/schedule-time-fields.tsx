import type { ReactNode } from 'react';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { TextField } from '../ui/text-field.tsx';
import { MINUTES, type Times, WEEKDAYS } from './schedule-times.ts';

const EVERY: Readonly<Record<Times['every'], string>> = {
  minutes: 'Every few minutes',
  hour: 'Every hour',
  day: 'Every day',
  workday: 'Monday to Friday',
  week: 'Every week',
  month: 'Every month',
  other: 'Other, as a cron expression',
};
/** Monday first. */
const DAYS = [1, 2, 3, 4, 5, 6, 0];
const MONTH_DAYS = Array.from({ length: 31 }, (_, index) => `${index + 1}`);

/** The fields for how often a schedule runs, and when. */
export function ScheduleTimeFields({ times, onTimes }: { times: Times; onTimes: (times: Times) => void }) {
  const { every, minutes, time, weekday, monthDay, cron } = times;
  const set = (change: Partial<Times>) => onTimes({ ...times, ...change });
  return (
    <>
      <Choice label="How often" isFirst value={every} onValue={(value) => set({ every: value as Times['every'] })}>
        {Object.entries(EVERY).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Choice>
      {every === 'minutes' && (
        <Choice label="Minutes" value={minutes} onValue={(value) => set({ minutes: value })}>
          {MINUTES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Choice>
      )}
      {every === 'week' && (
        <Choice label="Day" value={weekday} onValue={(value) => set({ weekday: value })}>
          {DAYS.map((day) => (
            <option key={day} value={day}>
              {WEEKDAYS[day]}
            </option>
          ))}
        </Choice>
      )}
      {every === 'month' && (
        <Choice
          label="Day"
          hint={Number(monthDay) > 28 ? 'Months without this day have no run.' : undefined}
          value={monthDay}
          onValue={(value) => set({ monthDay: value })}
        >
          {MONTH_DAYS.map((day) => (
            <option key={day}>{day}</option>
          ))}
        </Choice>
      )}
      {(every === 'day' || every === 'workday' || every === 'week' || every === 'month') && (
        <TextField label="Time" type="time" required value={time} onText={(value) => set({ time: value })} />
      )}
      {every === 'other' && (
        <TextField
          label="Cron expression"
          hint="Minute, hour, day, month, weekday: 30 7 * * 1-5"
          required
          spellCheck={false}
          value={cron}
          onText={(value) => set({ cron: value })}
        />
      )}
    </>
  );
}

function Choice({
  label,
  hint,
  isFirst,
  value,
  onValue,
  children,
}: {
  label: string;
  hint?: string | undefined;
  /** The dialog opens with the focus on it. */
  isFirst?: boolean;
  value: string;
  onValue: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Select
          {...control}
          {...(isFirst && { 'data-first': true })}
          value={value}
          onChange={({ target }) => onValue(target.value)}
        >
          {children}
        </Select>
      )}
    </Field>
  );
}
