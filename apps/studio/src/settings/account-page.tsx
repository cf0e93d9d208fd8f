import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api/api.ts';
import { meQuery } from '../api/me.ts';
import type { PageProps } from '../shell/page-props.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, CardBody, CardHead } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { toast } from '../ui/toast.tsx';

const MIN_PASSWORD = 8;

/** One's own name and password. */
export function AccountPage({ me }: PageProps) {
  return (
    <>
      <NameCard me={me} />
      {me.autoLogin ? (
        <Callout icon={<KeyRound size={16} />}>
          There are no passwords here: this server has one user, the owner of the machine. To sign in with another
          browser, run <code className="font-mono">croft open</code>; where that command is not found,{' '}
          <code className="font-mono">node bin/croft.cjs open</code> in the checkout.
        </Callout>
      ) : (
        <PasswordCard />
      )}
    </>
  );
}

function NameCard({ me }: PageProps) {
  const client = useQueryClient();
  const [name, setName] = useState(me.user.name);
  const save = useMutation({
    mutationFn: () => api('PATCH /api/v1/me', { body: { name: name.trim() } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      toast({ text: 'Saved.' });
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() !== '' && !save.isPending) save.mutate();
  }
  return (
    <Card aria-label="Account">
      <CardHead
        title="Account"
        about={me.autoLogin ? 'The one user of this server.' : me.user.email}
        action={<Badge>{me.user.role === 'admin' ? 'Administrator' : 'User'}</Badge>}
      />
      <CardBody>
        <form onSubmit={submit} className="grid max-w-sm gap-4">
          <TextField
            label="Name"
            error={save.error ? sentenceOf(save.error) : undefined}
            autoComplete="name"
            required
            value={name}
            onText={setName}
          />
          <div>
            <Button type="submit" busy={save.isPending} disabled={name.trim() === '' || name.trim() === me.user.name}>
              Save
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  );
}

function PasswordCard() {
  const [problem, setProblem] = useState<string>();
  const save = useMutation({
    mutationFn: ({ current, next }: { current: string; next: string; form: HTMLFormElement }) =>
      api('PATCH /api/v1/me', { body: { password: { current, next } } }),
    onSuccess: (_, { form }) => {
      form.reset();
      toast({ text: 'Password changed.' });
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const [current, next] = [data.get('current') as string, data.get('next') as string];
    const wrong = next.length < MIN_PASSWORD ? `Use at least ${MIN_PASSWORD} characters.` : undefined;
    setProblem(wrong);
    if (!wrong && !save.isPending) save.mutate({ current, next, form });
  }
  return (
    <Card aria-label="Password">
      <CardHead title="Password" />
      <CardBody>
        <form onSubmit={submit} className="grid max-w-sm gap-4">
          <Field label="Current password" error={save.error ? sentenceOf(save.error) : undefined}>
            {(control) => (
              <Input {...control} name="current" type="password" autoComplete="current-password" required />
            )}
          </Field>
          <Field label="New password" hint={`At least ${MIN_PASSWORD} characters; longer is better.`} error={problem}>
            {(control) => <Input {...control} name="next" type="password" autoComplete="new-password" required />}
          </Field>
          <div>
            <Button type="submit" busy={save.isPending}>
              Change password
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  );
}
