import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api } from '../api/api.ts';
import { gatewayQuery } from '../api/gateway.ts';
import { useServerLink } from '../shell/server-link.ts';
import { Switch } from '../ui/switch.tsx';
import { toastError } from '../ui/toast.tsx';

/** The switch that gives agents tools for files of a machine: of the connected folder or of direct access. */
export function AgentSwitch({ label, about, enabled }: { label: string; about: string; enabled: boolean }) {
  const client = useQueryClient();
  const { away } = useServerLink();
  const id = useId();
  const show = (now: boolean) => {
    // A response still under way is older and must not replace it.
    void client.cancelQueries({ queryKey: gatewayQuery.queryKey });
    client.setQueryData(gatewayQuery.queryKey, (status) => status && { ...status, enabled: now });
  };
  const turn = useMutation({
    mutationFn: (wanted: boolean) => api('POST /instance-ai/filesystem/toggle', { body: { enabled: wanted } }),
    onMutate: show,
    onError: (error, wanted) => {
      show(!wanted);
      toastError(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: gatewayQuery.queryKey }),
  });
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line pt-4">
      <div className="min-w-0">
        <p id={id} className="font-medium">
          {label}
        </p>
        <p id={`${id}-about`} className="text-sm text-soft">
          {about}
        </p>
      </div>
      <Switch
        aria-labelledby={id}
        aria-describedby={`${id}-about`}
        checked={enabled}
        disabled={away}
        onCheckedChange={(on) => turn.mutate(on)}
      />
    </div>
  );
}
