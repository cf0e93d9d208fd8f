import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff, TriangleAlert } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import { type Me, meQuery } from '../api/me.ts';
import { ApiError } from '../api/request.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { useSecondsUntil } from '../ui/use-seconds-until.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** Asks for name and password. Shows an error in place, and a countdown after too many attempts. */
export function SignInPage() {
  const client = useQueryClient();
  const [shown, setShown] = useState(false);
  /** When the server accepts another attempt, after too many. */
  const [opensAt, setOpensAt] = useState<number>();
  const password = useRef<HTMLInputElement>(null);
  const enter = useMutation({
    mutationFn: (body: { login: string; password: string }) => api('POST /api/v1/session', { body }),
    onSuccess: async ({ user }) => {
      const before = client.getQueryData<Me>(meQuery.queryKey);
      // Cached data of another user must not be shown to this one.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
      if (before) client.setQueryData(meQuery.queryKey, { ...before, user });
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
    onError: (error) => {
      const seconds = error instanceof ApiError ? error.retryAfterS : undefined;
      setOpensAt(seconds === undefined ? undefined : Date.now() + seconds * 1_000);
      password.current?.select();
    },
  });
  const waitS = useSecondsUntil(opensAt);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (!enter.isPending && waitS === 0)
      enter.mutate({ login: `${form.get('login') as string}`.trim(), password: form.get('password') as string });
  }
  return (
    <SignInFrame title="Sign in" about="Sign in to use your files, keys and connected folders.">
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <Field label="Email or name">
          {(control) => (
            <Input {...control} name="login" autoComplete="username" autoCapitalize="none" required autoFocus />
          )}
        </Field>
        <Field label="Password">
          {(control) => (
            <div className="relative">
              <Input
                {...control}
                ref={password}
                name="password"
                type={shown ? 'text' : 'password'}
                autoComplete="current-password"
                required
                className="pr-11"
              />
              <IconButton
                label={shown ? 'Hide password' : 'Show password'}
                className="absolute inset-y-0 right-0 h-auto"
                onClick={() => setShown(!shown)}
              >
                {shown ? <EyeOff size={17} /> : <Eye size={17} />}
              </IconButton>
            </div>
          )}
        </Field>
        {enter.isError && (
          <Callout tone="bad" role="alert" icon={<TriangleAlert size={16} />}>
            {opensAt === undefined ? sentenceOf(enter.error) : `Too many attempts to sign in. ${whenAgain(waitS)}`}
          </Callout>
        )}
        <Button type="submit" look="primary" busy={enter.isPending} disabled={waitS > 0} className="mt-1 w-full">
          Sign in
        </Button>
      </form>
      <p className="mt-6 text-sm text-soft">No account? Ask an administrator of this server to add one.</p>
    </SignInFrame>
  );
}

function whenAgain(waitS: number): string {
  if (waitS === 0) return 'You can try again now.';
  return `You can try again in ${waitS < 90 ? `${waitS} s` : `${Math.ceil(waitS / 60)} min`}.`;
}
