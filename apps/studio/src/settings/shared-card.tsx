import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { type SharedMode, sharedMountQuery } from '../api/shared-mount.ts';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { toastError } from '../ui/toast.tsx';

const MODES = [
  { value: 'off', label: 'Off' },
  { value: 'read', label: 'Read only' },
  { value: 'write', label: 'Read and write' },
] as const;

const EFFECT: Record<SharedMode, string> = {
  off: 'Users and their agents see only their own files.',
  read: 'Users and their agents can read the files in shared/, and cannot change them. Put files into workspaces/shared on the server’s disk, or allow writing for a while.',
  write: 'Users and their agents can read, change and delete the files in shared/.',
};

/** Whether all users see the shared files as a folder in their own. */
export function SharedCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(sharedMountQuery);
  // The mutation's own state arrives a tick after the click, and the radio button would jump back until then.
  const [chosen, setChosen] = useState<SharedMode>();
  const change = useMutation({
    mutationFn: (mode: SharedMode) => api('PUT /api/v1/shared-mount', { body: { mode } }),
    onSuccess: (stored) => {
      // A response still under way is older and must not replace it.
      void client.cancelQueries({ queryKey: sharedMountQuery.queryKey });
      client.setQueryData(sharedMountQuery.queryKey, stored);
      void client.invalidateQueries({ queryKey: ['files'] });
    },
    onError: toastError,
    onSettled: () => setChosen(undefined),
  });
  const choose = (mode: SharedMode) => {
    setChosen(mode);
    change.mutate(mode);
  };
  const shown = chosen ?? data?.mode;
  return (
    <Card aria-label="Shared folder">
      <CardHead title="Shared folder" about="One folder for all users, shown as shared/ among the files of each." />
      <CardBody className="grid grid-cols-1 justify-items-start gap-3">
        {shown ? (
          <>
            <Segmented label="Shared folder" value={shown} options={MODES} onChange={choose} />
            <p role="status" className="max-w-prose text-sm text-soft">
              {EFFECT[shown]}
            </p>
          </>
        ) : (
          <NotLoaded what="setting" error={error} onRetry={() => void refetch()} lines={2} isInBody />
        )}
      </CardBody>
    </Card>
  );
}
