import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { type ManagedUser, type UserChange, usersQuery } from '../api/users.ts';
import type { PageProps } from '../shell/page-props.ts';
import { formatWhen } from '../files/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Card, CardHead } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/state.tsx';
import { toast, toastError } from '../ui/toast.tsx';
import { NameText } from '../ui/name-text.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { SharedCard } from './shared-card.tsx';

/** Lists the users. Admins cannot disable, demote or delete themselves, so that one remains who can undo it. */
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
              <UserLine key={user.id} user={user} isMe={user.id === me.user.id} />
            ))}
          </ul>
        )}
        {adding && <AddUserDialog onClose={() => setAdding(false)} />}
      </Card>
      <SharedCard />
    </>
  );
}

function UserLine({ user, isMe }: { user: ManagedUser; isMe: boolean }) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const ends = {
    onError: toastError,
    onSettled: () => client.invalidateQueries({ queryKey: usersQuery.queryKey }),
  };
  const change = useMutation({
    mutationFn: (body: UserChange) => api('PATCH /api/v1/users/{id}', { params: { id: user.id }, body }),
    ...ends,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/v1/users/{id}', { params: { id: user.id } }),
    onSuccess: () =>
      toast({
        text: (
          <>
            <NameText name={user.name} /> is deleted.
          </>
        ),
      }),
    ...ends,
  });
  return (
    <li className="flex items-center gap-3 border-b border-line px-5 py-3 last:border-0">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2">
          <span className="truncate font-medium">
            <NameText name={user.name} />
          </span>
          {isMe && <Badge tone="good">You</Badge>}
          {user.role === 'admin' && <Badge>Administrator</Badge>}
          {user.disabled && <Badge tone="warn">Disabled</Badge>}
        </p>
        <p className="truncate text-sm text-soft">
          {user.email} · added {formatWhen(user.createdAt)}
        </p>
      </div>
      {!isMe && (
        <Menu
          trigger={
            <IconButton label={`Actions for ${user.name}`} disabled={change.isPending || remove.isPending}>
              <Ellipsis size={18} />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => change.mutate({ role: user.role === 'admin' ? 'user' : 'admin' })}>
            {user.role === 'admin' ? 'Remove administrator role' : 'Make administrator'}
          </MenuItem>
          <MenuItem onSelect={() => change.mutate({ disabled: !user.disabled })}>
            {user.disabled ? 'Enable' : 'Disable'}
          </MenuItem>
          <MenuLine />
          <MenuItem danger onSelect={() => setDeleting(true)}>
            Delete
          </MenuItem>
        </Menu>
      )}
      {deleting && (
        <ConfirmDialog
          title={
            <>
              Delete <NameText name={user.name} />?
            </>
          }
          about="Their sessions, keys and connections end now. To lock them out for a while, disable them instead."
          action="Delete user"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSettled: () => setDeleting(false) })}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  );
}
