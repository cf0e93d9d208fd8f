import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { HardDrive } from 'lucide-react';
import { useState } from 'react';
import { type LocalAccess, localAccessQuery, setLocalDirectory } from '../api/local-access.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { NameText } from '../ui/name-text.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';
import { PickDirectory } from './pick-directory.tsx';

/** Reading the disk of the machine Croft itself runs on, where the server offers that: off, then a directory, then on. */
export function LocalAccessCard() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(localAccessQuery);
  const [picking, setPicking] = useState(false);
  const change = useMutation({
    mutationFn: setLocalDirectory,
    onSuccess: (access) => {
      client.setQueryData(localAccessQuery.queryKey, access);
      setPicking(false);
    },
  });
  if (error)
    return (
      <Callout tone="bad" role="alert">
        Whether Croft may read this machine is unknown. {sentenceOf(error)}{' '}
        <Button small onClick={() => void refetch()}>
          Try again
        </Button>
      </Callout>
    );
  if (!data || (data.state === 'off' && !data.canChange)) return null;
  const stop = () => change.mutate(null, { onError: (problem) => toast({ tone: 'bad', text: sentenceOf(problem) }) });
  return (
    <Card aria-label="The machine Croft runs on">
      <CardHead
        title={
          <span className="flex items-center gap-2.5">
            <HardDrive size={19} aria-hidden="true" className="text-soft" /> The machine Croft runs on
          </span>
        }
        about="Without any command: your agents read a directory here directly, and never write to it. A folder that is connected above goes first."
        action={<LocalBadge access={data} />}
      />
      <CardBody>
        {data.state === 'on' ? (
          <OnNow access={data} busy={change.isPending} onStop={stop} />
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
          <p className="text-sm text-soft">Whoever runs this server can turn it on.</p>
        )}
      </CardBody>
    </Card>
  );
}

function LocalBadge({ access }: { access: LocalAccess }) {
  return access.state === 'on' ? (
    <Badge tone="good" dot>
      On
    </Badge>
  ) : (
    <Badge dot>{access.state === 'setup' ? 'Not set up' : 'Off'}</Badge>
  );
}

function OnNow({ access, busy, onStop }: { access: LocalAccess; busy: boolean; onStop: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">
        <NameText name={access.directory ?? ''} />
      </p>
      {access.canChange ? (
        <Button busy={busy} onClick={onStop}>
          Turn off
        </Button>
      ) : (
        <p className="text-sm text-soft">Set by CROFT_FILESYSTEM_PATH.</p>
      )}
    </div>
  );
}
