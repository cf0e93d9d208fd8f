import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../api/api.ts';
import type { ManagedUser } from '../api/users.ts';
import { Dialog, FormFoot } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { NameText } from '../ui/name-text.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';

/** Sets the password of a user who forgot it: the server sends no mail, so an admin gives them a new one. */
export function SetPasswordDialog({ user: { id, name }, onClose }: { user: ManagedUser; onClose: () => void }) {
  const set = useMutation({
    mutationFn: (password: string) => api('PATCH /api/v1/users/{id}', { params: { id }, body: { password } }),
    onSuccess: () => {
      toast({
        text: (
          <>
            <NameText name={name} /> has a new password.
          </>
        ),
      });
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!set.isPending) {
      const password = new FormData(event.currentTarget).get('password') as string;
      set.mutate(password, { onSuccess: onClose });
    }
  }
  return (
    <Dialog
      open
      title={
        <>
          New password for <NameText name={name} />
        </>
      }
      about="Give the user this password. It ends their sessions, and they can change it in Settings."
      onClose={onClose}
    >
      <form onSubmit={submit} className="grid gap-4">
        <Field label="New password" hint="At least 8 characters.">
          {(control) => (
            <Input
              {...control}
              name="password"
              type="password"
              data-first
              required
              minLength={8}
              autoComplete="new-password"
            />
          )}
        </Field>
        {set.error && (
          <Callout tone="bad" role="alert">
            {sentenceOf(set.error)}
          </Callout>
        )}
        <FormFoot action="Set password" busy={set.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
