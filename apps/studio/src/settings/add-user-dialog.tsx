import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../api/api.ts';
import { type NewUser, usersQuery } from '../api/users.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';

/** Asks for the data of a new user. The server sends no mail: the admin gives the user the password. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: (body: NewUser) => api('POST /api/v1/users', { body }),
    onSuccess: async (_, { name }) => {
      await client.invalidateQueries({ queryKey: usersQuery.queryKey });
      toast({ text: `${name} can sign in now.` });
      onClose();
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => (data.get(name) as string).trim();
    if (!add.isPending)
      add.mutate({
        name: text('name'),
        email: text('email'),
        password: data.get('password') as string,
        role: text('role') === 'admin' ? 'admin' : 'user',
      });
  }
  return (
    <Dialog
      open
      title="Add user"
      about="Give the user this password. They can change it in Settings."
      onClose={onClose}
    >
      <form onSubmit={submit} className="grid gap-4">
        <Field label="Name">
          {(control) => <Input {...control} name="name" data-first required autoComplete="off" />}
        </Field>
        <Field label="Email or sign-in name">
          {(control) => (
            <Input {...control} name="email" inputMode="email" autoCapitalize="none" required autoComplete="off" />
          )}
        </Field>
        <Field label="First password" hint="At least 8 characters.">
          {(control) => (
            <Input {...control} name="password" type="password" required minLength={8} autoComplete="new-password" />
          )}
        </Field>
        <Field label="Role" hint="Administrators add and remove users. Users cannot read each other's files.">
          {(control) => (
            <Select {...control} name="role" defaultValue="user">
              <option value="user">User</option>
              <option value="admin">Administrator</option>
            </Select>
          )}
        </Field>
        {add.error && (
          <Callout tone="bad" role="alert">
            {sentenceOf(add.error)}
          </Callout>
        )}
        <FormFoot action="Add user" busy={add.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
