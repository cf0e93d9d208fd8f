import { useQuery } from '@tanstack/react-query';
import { gatewayQuery } from '../api/gateway.ts';
import { RoomHead } from '../shell/room-head.tsx';
import type { RoomProps } from '../shell/room-props.ts';
import { FolderCard } from './folder-card.tsx';
import { LocalAccessCard } from './local-access-card.tsx';

/** Connect a folder: start reading here. */
export function ConnectRoom({ me }: RoomProps) {
  const { data } = useQuery(gatewayQuery);
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-1 gap-5 p-4 md:p-8">
      <RoomHead
        title="Connect a folder"
        about="Agents on this server can read a folder on your computer. The files stay there, and agents see no other folder. They cannot change files unless you allow it."
      />
      {/* Announces changes to screen readers. */}
      <p role="status" className="sr-only">
        {data?.connected ? 'Files connected' : ''}
      </p>
      <FolderCard userId={me.user.id} />
      <LocalAccessCard me={me} />
    </div>
  );
}
