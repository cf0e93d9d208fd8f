import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { TextField } from '../ui/text-field.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { TIMES } from './cron-text.ts';

/** Asks for the times of a schedule. */
export function ScheduleDialog({
  flowId,
  version,
  onClose,
}: {
  flowId: string;
  /** The version that the schedule accepts. */
  version: number | undefined;
  onClose: () => void;
}) {
  const [choice, setChoice] = useState<string>(TIMES[1].cron);
  const [cron, setCron] = useState<string>(TIMES[1].cron);
  const [timeZone, setTimeZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
  const [missed, setMissed] = useState<'skip' | 'once'>('skip');
  const [overlap, setOverlap] = useState<'skip' | 'start'>('skip');
  const add = useMutation({
    mutationFn: () =>
      api('POST /api/v1/flows/{id}/schedules', {
        params: { id: flowId },
        body: { cron: choice || cron, timeZone, missed, overlap, version },
      }),
    onSuccess: onClose,
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!add.isPending) add.mutate();
  }
  return (
    <Dialog open title="New schedule" onClose={onClose}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <Field label="Times">
          {(control) => (
            <Select {...control} data-first value={choice} onChange={(event) => setChoice(event.target.value)}>
              {TIMES.map((each) => (
                <option key={each.cron} value={each.cron}>
                  {each.name}
                </option>
              ))}
              <option value="">Others, as a cron expression</option>
            </Select>
          )}
        </Field>
        {choice === '' && (
          <TextField
            label="Cron expression"
            hint="Minute, hour, day, month, weekday: 30 7 * * 1-5"
            required
            spellCheck={false}
            value={cron}
            onText={setCron}
          />
        )}
        <TextField label="Time zone" required spellCheck={false} value={timeZone} onText={setTimeZone} />
        <Field label="If the server was off at a time">
          {(control) => (
            <Select {...control} value={missed} onChange={({ target }) => setMissed(target.value as typeof missed)}>
              <option value="skip">Leave the run out</option>
              <option value="once">Run once when it is back</option>
            </Select>
          )}
        </Field>
        <Field
          label="If the run before has not ended"
          error={add.error ? `The schedule was not added. ${sentenceOf(add.error)}` : undefined}
        >
          {(control) => (
            <Select {...control} value={overlap} onChange={({ target }) => setOverlap(target.value as typeof overlap)}>
              <option value="skip">Leave the run out</option>
              <option value="start">Start another run beside it</option>
            </Select>
          )}
        </Field>
        <FormFoot action="Add schedule" busy={add.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
