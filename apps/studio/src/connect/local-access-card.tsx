import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { HardDrive } from 'lucide-react';
import { useState } from 'react';
import { type GatewayStatus, gatewayQuery } from '../api/gateway.ts';
import { api } from '../api/api.ts';
import { type LocalAccess, localAccessQuery } from '../api/local-access.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { NameText } from '../ui/name-text.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toastError } from '../ui/toast.tsx';
import type { PageProps } from '../shell/page-props.ts';
import { AgentSwitch } from './agent-switch.tsx';
import { PickDirectory } from './pick-directory.tsx';

/** Direct access to the disk of the machine Croft runs on, where the server offers it: not set up, off or on. */
export function LocalAccessCard({ me }: PageProps) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(localAccessQuery(me));
  const gateway = useQuery(gatewayQuery);
  const [picking, setPicking] = useState(false);
  const change = useMutation({
    mutationFn: (directory: string | null) => api('PUT /api/v1/local-access', { body: { directory } }),
    onSuccess: (access) => {
      // A response still under way is older and must not replace it.
      void client.cancelQueries({ queryKey: localAccessQuery(me).queryKey });
      client.setQueryData(localAccessQuery(me).queryKey, access);
      setPicking(false);
    },
  });
  if (error && !data)
    return (
      <Callout tone="bad" role="alert">
        Direct access cannot be shown. {sentenceOf(error)}{' '}
        <Button small onClick={() => void refetch()}>
          Try again
        </Button>
      </Callout>
    );
  if (!data || (data.state === 'off' && !me.autoLogin)) return null;
  const stop = () => change.mutate(null, { onError: toastError });
  return (
    <Card aria-label="The machine Croft runs on">
      <CardHead
        title={
          <span className="flex items-center gap-2.5">
            <HardDrive size={19} aria-hidden="true" className="text-soft" /> The machine Croft runs on
          </span>
        }
        about="Direct access: your agents can read a directory on this machine and cannot change it. While a folder of your computer is connected, they use that folder instead."
        action={<LocalBadge access={data} status={gateway.data} />}
      />
      <CardBody>
        {data.state === 'on' ? (
          <OnNow access={data} status={gateway.data} busy={change.isPending} onStop={stop} />
        ) : picking ? (
          <PickDirectory
            busy={change.isPending}
            problem={change.error ? sentenceOf(change.error) : undefined}
            onPick={(directory) => change.mutate(directory)}
            onCancel={() => setPicking(false)}
          />
        ) : data.canChange ? (
          <Button onClick={() => setPicking(true)}>Pick a directory</Button>
        ) : (
          <p className="text-sm text-soft">
            This server runs in a container, whose disk has none of your files. Mount a directory into the container and
            set <code className="font-mono text-ink">CROFT_FILESYSTEM_PATH</code> to its path there, or connect a folder
            above.
          </p>
        )}
      </CardBody>
    </Card>
  );
}

function LocalBadge({ access, status }: { access: LocalAccess; status: GatewayStatus | undefined }) {
  if (access.state !== 'on') return <Badge dot>{access.state === 'setup' ? 'Not set up' : 'Off'}</Badge>;
  if (status === undefined) return null;
  if (!status.enabled)
    return (
      <Badge tone="warn" dot>
        Paused
      </Badge>
    );
  return status.connected ? (
    <Badge dot>Not used now</Badge>
  ) : (
    <Badge tone="good" dot>
      Agents may read
    </Badge>
  );
}

function OnNow({
  access,
  status,
  busy,
  onStop,
}: {
  access: LocalAccess;
  status: GatewayStatus | undefined;
  busy: boolean;
  onStop: () => void;
}) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">
          <NameText name={access.directory ?? ''} />
        </p>
        {access.canChange ? (
          <Button busy={busy} onClick={onStop}>
            Remove
          </Button>
        ) : (
          <p className="text-sm text-soft">Set by CROFT_FILESYSTEM_PATH.</p>
        )}
      </div>
      {/* A connected folder shows the same switch above. */}
      {status !== undefined && !status.connected && (
        <AgentSwitch
          label="Let agents read this directory"
          about="When off, no agent can use its tools. Also applies to a folder you connect."
          enabled={status.enabled}
        />
      )}
    </div>
  );
}
