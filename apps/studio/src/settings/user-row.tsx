import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../api/api.ts';
import { type ManagedUser, type UserChange, usersQuery } from '../api/users.ts';
import { formatWhen } from '../files/format.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { NameText } from '../ui/name-text.tsx';
import { toast, toastError } from '../ui/toast.tsx';
import { SetPasswordDialog } from './set-password-dialog.tsx';
import { UserUsage } from './user-usage.tsx';

/** One user, with what an admin may do. Admins cannot disable, demote or delete themselves: one remains who can undo it. */
export function UserRow({ user, quotaBytes, isMe }: { user: ManagedUser; quotaBytes: number | null; isMe: boolean }) {
  const [asked, setAsked] = useState<'password' | 'delete'>();
  const { change, remove } = useUserActions(user);
  const close = () => setAsked(undefined);
  return (
    <li className="flex items-center gap-3 border-b border-line px-5 py-3 last:border-0">
      <div className="flex min-w-0 grow items-center gap-x-4 @max-[40rem]:flex-col @max-[40rem]:items-stretch">
        <div className="min-w-0 grow [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 font-medium">
              <NameText name={user.name} />
            </span>
            {isMe && <Badge tone="good">You</Badge>}
            {user.role === 'admin' && <Badge>Administrator</Badge>}
            {user.disabled && <Badge tone="warn">Disabled</Badge>}
          </p>
          <p className="text-sm text-soft">
            {user.email} · <span className="whitespace-nowrap">added {formatWhen(user.createdAt)}</span>
          </p>
        </div>
        <UserUsage user={user} quotaBytes={quotaBytes} />
      </div>
      {isMe ? (
        <span className="w-9 shrink-0" />
      ) : (
        <Menu
          trigger={
            <IconButton label={`Actions for ${user.name}`} disabled={change.isPending || remove.isPending}>
              <Ellipsis size={18} />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => setAsked('password')}>Set a new password</MenuItem>
          <MenuItem onSelect={() => change.mutate({ role: user.role === 'admin' ? 'user' : 'admin' })}>
            {user.role === 'admin' ? 'Remove administrator role' : 'Make administrator'}
          </MenuItem>
          <MenuItem onSelect={() => change.mutate({ disabled: !user.disabled })}>
            {user.disabled ? 'Enable' : 'Disable'}
          </MenuItem>
          <MenuLine />
          <MenuItem danger onSelect={() => setAsked('delete')}>
            Delete
          </MenuItem>
        </Menu>
      )}
      {asked === 'password' && <SetPasswordDialog user={user} onClose={close} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title={
            <>
              Delete <NameText name={user.name} />?
            </>
          }
          about="This deletes their flows for good, also for others who use them, with their chats, keys and variables. Their files stay on the server’s disk. To lock them out and keep everything, disable them instead."
          action="Delete user"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSettled: close })}
          onClose={close}
        />
      )}
    </li>
  );
}

function useUserActions({ id, name }: ManagedUser) {
  const client = useQueryClient();
  const say = (text: ReactNode) =>
    toast({
      text: (
        <>
          <NameText name={name} /> {text}
        </>
      ),
    });
  const ends = {
    onError: toastError,
    onSettled: () => client.invalidateQueries({ queryKey: usersQuery.queryKey }),
  };
  const change = useMutation({
    mutationFn: (body: UserChange) => api('PATCH /api/v1/users/{id}', { params: { id }, body }),
    onSuccess: (_, body) => say(effectOf(body)),
    ...ends,
  });
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/v1/users/{id}', { params: { id } }),
    onSuccess: () => say('is deleted.'),
    ...ends,
  });
  return { change, remove };
}

function effectOf({ role, disabled }: UserChange): string {
  if (disabled !== undefined)
    return disabled ? 'is disabled and signed out. Their keys stop working.' : 'can sign in again.';
  return role === 'admin' ? 'is an administrator now and has to sign in again.' : 'is not an administrator any more.';
}
