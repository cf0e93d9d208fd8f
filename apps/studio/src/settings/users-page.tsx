import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { type UserList, usersQuery } from '../api/users.ts';
import type { PageProps } from '../shell/page-props.ts';
import { Button } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { EmptyState } from '../ui/state.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { SharedCard } from './shared-card.tsx';
import { UserRow } from './user-row.tsx';
import { sortUsers, type UserOrder } from './user-usage.tsx';

const ORDERS = [
  { value: 'added', label: 'First added' },
  { value: 'active', label: 'Last active' },
  { value: 'storage', label: 'Most storage' },
] as const;
const COUNTING_EVERY_MS = 2_000;

/** The server counts the files of users in the background. */
const countingMs = (data: UserList | undefined): number | false =>
  data?.users.some(({ storage }) => storage === null) === true && COUNTING_EVERY_MS;

/** The users of the server, and the folder that they share. */
export function UsersPage({ me }: PageProps) {
  const { data, error, refetch } = useQuery({ ...usersQuery, refetchInterval: ({ state }) => countingMs(state.data) });
  const [order, setOrder] = useState<UserOrder>('added');
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
          <>
            {data.users.length > 1 && (
              <div className="px-5 pb-3">
                <Segmented label="Order" value={order} options={ORDERS} onChange={setOrder} />
              </div>
            )}
            <ul className="@container border-t border-line">
              {sortUsers(data.users, order).map((user) => (
                <UserRow key={user.id} user={user} quotaBytes={data.quotaBytes} isMe={user.id === me.user.id} />
              ))}
            </ul>
          </>
        )}
        {adding && <AddUserDialog onClose={() => setAdding(false)} />}
      </Card>
      <SharedCard />
    </>
  );
}
