import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery } from '../api/api.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/state.tsx';
import { toastError } from '../ui/toast.tsx';
import { cronText } from './cron-text.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { TriggerRow } from './trigger-list.tsx';
import { acceptanceQuery } from './use-acceptance.ts';

/** The schedules of a flow, with their next times. */
export function ScheduleCard({
  flowId,
  version,
}: {
  flowId: string;
  /** The version that a schedule accepts when it is turned on. */
  version: number | undefined;
}) {
  const client = useQueryClient();
  const query = apiQuery('GET /api/v1/schedules');
  const { data, error, refetch } = useQuery(query);
  const [isAdding, setIsAdding] = useState(false);
  const refresh = () =>
    Promise.all([query, acceptanceQuery(flowId)].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  const schedules = data?.schedules.filter((each) => each.flowId === flowId) ?? [];
  async function attempt(work: () => Promise<unknown>) {
    try {
      await work();
    } catch (problem) {
      toastError(problem);
    }
    await refresh();
  }
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
        action={schedules.length > 0 ? button : undefined}
      />
      {!data ? (
        <NotLoaded what="schedules" error={error} onRetry={() => void refetch()} />
      ) : schedules.length === 0 ? (
        <EmptyState icon={<CalendarClock size={22} />} title="No schedules" action={button} />
      ) : (
        <ul className="border-t border-line">
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
              onSwitch={(isOn) =>
                void attempt(() => api('PATCH /api/v1/schedules/{id}', { params: { id }, body: { isOn, version } }))
              }
              actions={
                <IconButton
                  label={`Delete ${cronText(cron)}`}
                  className="text-soft"
                  onClick={() => void attempt(() => api('DELETE /api/v1/schedules/{id}', { params: { id } }))}
                >
                  <Trash2 size={16} />
                </IconButton>
              }
            />
          ))}
        </ul>
      )}
      {isAdding && (
        <ScheduleDialog
          flowId={flowId}
          version={version}
          onClose={() => {
            setIsAdding(false);
            void refresh();
          }}
        />
      )}
    </Card>
  );
}

/** A time as a clock in the time zone shows it. */
const timeIn = (iso: string, timeZone: string) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso));
