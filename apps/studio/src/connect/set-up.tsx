import { TriangleAlert } from 'lucide-react';
import { useServerLink } from '../shell/server-link.ts';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Callout, ErrorState } from '../ui/state.tsx';
import type { usePairing } from './use-pairing.ts';

/** How to connect a folder: the command, its remaining time, and the state of waiting. */
export function SetUp({
  pairing,
  problem,
  resting,
  onAsk,
}: {
  pairing: ReturnType<typeof usePairing>;
  problem: string | undefined;
  /** The user disconnected the daemon, so this page does not invite it again. */
  resting: boolean;
  onAsk: () => void;
}) {
  const { command, leftS, error, renew } = pairing;
  const { away } = useServerLink();
  // After an error, the page asks again only when the user does.
  if (error && (!command || leftS === 0))
    return (
      <Card>
        <ErrorState
          title="The command cannot be created"
          error={error}
          onRetry={() => void renew().catch(() => undefined)}
        />
      </Card>
    );
  return (
    <Card aria-label="Folder of your computer">
      <CardHead
        title="Connect a folder of your computer"
        about="Open a terminal on that computer, in the folder that your agents may read, and run this command. It needs Node.js 20.19 or newer. npx keeps Croft in its cache and installs nothing else."
      />
      <CardBody className="grid grid-cols-1 gap-4">
        {command ? (
          <CommandLine command={command} label="Command that connects a folder" fresh={pairing.fresh} />
        ) : (
          <div role="status">
            <span className="sr-only">Creating the command</span>
            <Skeleton className="h-10 w-full rounded-md" />
          </div>
        )}
        {problem && (
          <Callout tone="warn" role="status" icon={<TriangleAlert size={16} />}>
            {problem}
          </Callout>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm text-soft">
          <p role="status" className="flex items-center gap-2.5">
            {away ? (
              'Croft does not answer'
            ) : (
              <>
                <Spinner /> Waiting for it to connect
              </>
            )}
          </p>
          {command && (
            <p className="tabular-nums">
              {leftS > 0 ? (
                <>
                  Works once, for another <span className="text-ink">{clock(leftS)}</span>
                </>
              ) : (
                'Expired. Creating a new command.'
              )}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <p className="min-w-0 flex-[1_1_14rem] text-sm text-soft">
            {resting ? (
              <>
                You disconnected. If <code className="font-mono text-ink">croft connect</code> still runs on this
                computer, it connects again only when you ask it.
              </>
            ) : (
              <>
                Is <code className="font-mono text-ink">croft connect</code> already running on this computer? Ask it to
                connect to this server.
              </>
            )}
          </p>
          <Button small onClick={onAsk}>
            Ask it to connect
          </Button>
        </div>
      </CardBody>
    </Card>
  );
}

/** Minutes and seconds. */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}
