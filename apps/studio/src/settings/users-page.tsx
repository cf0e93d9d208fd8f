import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { usersQuery } from '../api/users.ts';
import type { PageProps } from '../shell/page-props.ts';
import { Button } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/state.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { SharedCard } from './shared-card.tsx';
import { UserRow } from './user-row.tsx';

/** The users of the server, and the folder that they share. */
export function UsersPage({ me }: PageProps) {
  const { data, error, refetch } = useQuery(usersQuery);
  const [adding, setAdding] = useState(false);
  return (
    <>
      <Card aria-label="Users">
        <CardHead
          title="Users"
          about="Each user has separate files, keys and connected folders."
          action={
            <Button look="primary" onClick={() => setAdding(true)}>
              <UserPlus size={17} aria-hidden="true" /> Add user
            </Button>
          }
        />
        {!data ? (
          <NotLoaded what="users" error={error} onRetry={() => void refetch()} lines={6} />
        ) : data.users.length === 0 ? (
          <EmptyState icon={<Users size={22} />} title="No users yet" />
        ) : (
          <ul className="border-t border-line">
            {data.users.map((user) => (
              <UserRow key={user.id} user={user} isMe={user.id === me.user.id} />
            ))}
          </ul>
        )}
        {adding && <AddUserDialog onClose={() => setAdding(false)} />}
      </Card>
      <SharedCard />
    </>
  );
}
