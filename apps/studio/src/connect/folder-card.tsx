import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderCheck, FolderSync, TriangleAlert, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../api/api.ts';
import { gatewayQuery, type GatewayStatus } from '../api/gateway.ts';
import { formatExactly, formatWhen } from '../files/format.ts';
import { useServerLink } from '../shell/server-link.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { NameText } from '../ui/name-text.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Callout, ErrorState } from '../ui/state.tsx';
import { toast, toastError } from '../ui/toast.tsx';
import { AgentSwitch } from './agent-switch.tsx';
import { type Rest, restOf } from './rest.ts';
import { SetUp } from './set-up.tsx';
import { useAutoConnect } from './use-auto-connect.ts';
import { usePairing } from './use-pairing.ts';

const POLL_MS = 3_000;
/** An invited daemon scans its folder first; one that takes longer has died. */
const CONNECTING_MS = 20_000;

/** The folder of one's own computer: connected, connecting, or how to connect it. */
export function FolderCard({ userId }: { userId: string }) {
  const { live } = useServerLink();
  const status = useQuery({ ...gatewayQuery, refetchInterval: live ? false : POLL_MS });
  const [rest] = useState(() => restOf(userId));
  if (status.isPending)
    return (
      <Card className="p-5">
        <SkeletonLines label="Loading the connection" lines={4} />
      </Card>
    );
  if (!status.data)
    return (
      <Card>
        <ErrorState title="The connection cannot be shown" error={status.error} onRetry={() => void status.refetch()} />
      </Card>
    );
  if (status.data.connected) return <Connected status={status.data} rest={rest} />;
  return <NotConnected rest={rest} />;
}

function NotConnected({ rest }: { rest: Rest }) {
  const pairing = usePairing(true);
  const [resting, setResting] = useState(rest.isWanted);
  const auto = useAutoConnect({ wanted: true, resting, token: pairing.token });
  function ask() {
    rest.want(false);
    setResting(false);
    auto.ask();
  }
  const isStuck = useElapsed(auto.connecting, CONNECTING_MS);
  if (auto.connecting && !isStuck)
    return (
      <Card aria-label="Folder of your computer">
        <div role="status" className="flex items-center gap-4 p-5">
          <span className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
            <FolderSync size={21} aria-hidden="true" />
          </span>
          <div className="min-w-0 grow">
            <h2 className="text-lg font-semibold tracking-tight">Connecting …</h2>
            <p className="text-sm text-soft">If croft on this computer asks you in its terminal, answer there.</p>
          </div>
          <Spinner className="size-5 text-accent" />
        </div>
      </Card>
    );
  return <SetUp pairing={pairing} problem={auto.problem} resting={resting} onAsk={ask} />;
}

/** Whether something has been so for as long as that. */
function useElapsed(on: boolean, afterMs: number): boolean {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    setElapsed(false);
    if (!on) return undefined;
    const timer = setTimeout(() => setElapsed(true), afterMs);
    return () => clearTimeout(timer);
  }, [on, afterMs]);
  return elapsed;
}

function Connected({ status, rest }: { status: GatewayStatus; rest: Rest }) {
  const client = useQueryClient();
  const { away } = useServerLink();
  const refresh = () => client.invalidateQueries({ queryKey: gatewayQuery.queryKey });
  const left = useMutation({
    mutationFn: () => api('POST /instance-ai/gateway/disconnect-session'),
    // Before the server is asked: its event comes sooner than its answer.
    onMutate: () => rest.want(true),
    onSuccess: async () => {
      await refresh();
      toast({ text: 'Disconnected. Its key no longer works.' });
    },
    onError: (error) => {
      rest.want(false);
      toastError(error);
    },
  });
  return (
    <Card aria-label="Folder of your computer">
      <CardHead
        title={
          <span className="flex items-center gap-2.5">
            <FolderCheck size={20} aria-hidden="true" className={away ? 'text-soft' : 'text-accent'} /> Files connected
          </span>
        }
        action={
          <Badge tone={status.enabled && !away ? 'good' : 'warn'} dot>
            {away ? 'Croft is not reachable' : status.enabled ? rightsOf(status) : 'Paused'}
          </Badge>
        }
      />
      <CardBody className="grid grid-cols-1 gap-4">
        <Facts status={status} />
        <p className="text-sm text-soft">
          Agents get tools for this folder beside those for your files on this server. The page Files does not show it.
        </p>
        <AgentSwitch
          label="Let agents use this folder"
          about="When off, agents cannot use it. The connection stays open."
          enabled={status.enabled}
        />
        <div className="border-t border-line pt-4">
          <Button busy={left.isPending} disabled={away} onClick={() => left.mutate()}>
            <Unplug size={17} aria-hidden="true" /> Disconnect
          </Button>
        </div>
      </CardBody>
    </Card>
  );
}

/** The rights of agents to the folder. A machine that offers changes of files offers their deletion, too. */
const rightsOf = ({ toolCategories }: GatewayStatus) =>
  toolCategories.some(({ enabled, writeAccess }) => enabled && writeAccess === true)
    ? 'Agents may read, write and delete'
    : 'Agents may read';

function Facts({ status }: { status: GatewayStatus }) {
  const tools = status.toolCategories.filter(({ enabled }) => enabled);
  return (
    <>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-0.5 sm:gap-y-2 sm:grid-cols-[max-content_minmax(0,1fr)] [&_dt]:text-soft max-sm:[&_dd]:mb-1.5">
        <dt>Folder</dt>
        <dd className="font-mono text-sm [overflow-wrap:anywhere] sm:pt-0.5">
          {status.directory === null ? 'Unknown' : <NameText name={status.directory} />}
        </dd>
        <dt>Computer</dt>
        <dd className="[overflow-wrap:anywhere]">
          {status.hostIdentifier === null ? 'Unknown' : <NameText name={status.hostIdentifier} />}
        </dd>
        {status.connectedAt && (
          <>
            <dt>Since</dt>
            <dd>
              <time dateTime={status.connectedAt}>{formatExactly(status.connectedAt)}</time>{' '}
              <span className="text-soft">({formatWhen(status.connectedAt)})</span>
            </dd>
          </>
        )}
        {tools.length > 0 && (
          <>
            <dt>Offers</dt>
            <dd className="flex flex-wrap gap-1.5">
              {tools.map(({ name, writeAccess }) => (
                <Badge key={name}>
                  {name === 'filesystem' ? 'Files' : <NameText name={name} />}
                  {writeAccess === true ? ': read, write and delete' : ''}
                </Badge>
              ))}
            </dd>
          </>
        )}
      </dl>
      {tools.some(({ name }) => name !== 'filesystem') && (
        <Callout tone="warn" icon={<TriangleAlert size={16} />}>
          Agents can also use tools of this computer that are not about files.
        </Callout>
      )}
    </>
  );
}
