import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { ScheduleTimeFields } from './schedule-time-fields.tsx';
import { cronOf, timesOf } from './schedule-times.ts';
import { type Schedule, useRefreshSchedules } from './use-schedules.ts';

/** Asks for the times of a new schedule, or for other times of one. */
export function ScheduleDialog({
  flowId,
  schedule,
  version,
  onClose,
}: {
  flowId: string;
  /** The schedule to change; absent for a new one. */
  schedule?: Schedule | undefined;
  /** The version that the schedule accepts. */
  version: number | undefined;
  onClose: () => void;
}) {
  const [times, setTimes] = useState(() => timesOf(schedule?.cron ?? '0 9 * * *'));
  const [timeZone, setTimeZone] = useState(
    () => schedule?.timeZone ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'),
  );
  const [missed, setMissed] = useState<'skip' | 'once'>(schedule?.missed ?? 'skip');
  const [overlap, setOverlap] = useState<'skip' | 'start'>(schedule?.overlap ?? 'skip');
  const refresh = useRefreshSchedules(flowId);
  const save = useMutation({
    mutationFn: () => {
      const body = { cron: cronOf(times), timeZone, missed, overlap, version };
      return schedule === undefined
        ? api('POST /api/v1/flows/{id}/schedules', { params: { id: flowId }, body })
        : api('PATCH /api/v1/schedules/{id}', { params: { id: schedule.id }, body });
    },
    onSuccess: onClose,
    onSettled: () => void refresh(),
  });
  const isNew = schedule === undefined;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  }
  return (
    <Dialog open title={isNew ? 'New schedule' : 'Change the schedule'} onClose={onClose}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <ScheduleTimeFields times={times} onTimes={setTimes} />
        <TextField label="Time zone" required spellCheck={false} value={timeZone} onText={setTimeZone} />
        <Field label="If the server was off at a time">
          {(control) => (
            <Select {...control} value={missed} onChange={({ target }) => setMissed(target.value as typeof missed)}>
              <option value="skip">Skip the run</option>
              <option value="once">Run once when it is back</option>
            </Select>
          )}
        </Field>
        <Field
          label="If the run before has not ended"
          error={
            save.error ? `The schedule was not ${isNew ? 'added' : 'changed'}. ${sentenceOf(save.error)}` : undefined
          }
        >
          {(control) => (
            <Select {...control} value={overlap} onChange={({ target }) => setOverlap(target.value as typeof overlap)}>
              <option value="skip">Skip the run</option>
              <option value="start">Start another run beside it</option>
            </Select>
          )}
        </Field>
        <FormFoot action={isNew ? 'Add schedule' : 'Save changes'} busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
