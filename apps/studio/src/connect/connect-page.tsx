import { useQuery } from '@tanstack/react-query';
import { gatewayQuery } from '../api/gateway.ts';
import { PageHead } from '../shell/page-head.tsx';
import type { PageProps } from '../shell/page-props.ts';
import { AgentCard } from './agent-card.tsx';
import { FolderCard } from './folder-card.tsx';
import { LocalAccessCard } from './local-access-card.tsx';

/** Connects agents and folders: start reading here. */
export function ConnectPage({ me }: PageProps) {
  const { data } = useQuery(gatewayQuery);
  return (
    <div className="mx-auto w-full max-w-6xl p-4 md:p-8">
      <div className="grid max-w-3xl grid-cols-1 gap-5">
        <PageHead
          title="Connect"
          about="Your agents connect to this server over MCP. Agents on this server can read a folder on your computer: the files stay there, agents see no other folder, and they cannot change files unless you allow it."
        />
        {/* Announces changes to screen readers. */}
        <p role="status" className="sr-only">
          {data?.connected ? 'Files connected' : ''}
        </p>
        <AgentCard />
        <FolderCard userId={me.user.id} />
        <LocalAccessCard me={me} />
      </div>
    </div>
  );
}
