import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff, TriangleAlert } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import { meQuery } from '../api/me.ts';
import { ApiError } from '../api/request.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { useSecondsUntil } from '../ui/use-seconds-until.ts';
import { type AttemptLocks, AttemptLockNote, lockName } from './attempt-lock.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Asks for name and password. Shows an error in place. After too many attempts, only the name that they used must wait. */
export function SignInPage() {
  const client = useQueryClient();
  const [shown, setShown] = useState(false);
  const [login, setLogin] = useState('');
  const [locks, setLocks] = useState<AttemptLocks>({});
  const password = useRef<HTMLInputElement>(null);
  const enter = useMutation({
    mutationFn: (body: { login: string; password: string }) => api('POST /api/v1/session', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: meQuery.queryKey }),
    onError: (error, tried) => {
      const seconds = error instanceof ApiError ? error.retryAfterS : undefined;
      if (seconds !== undefined) setLocks({ ...locks, [lockName(tried.login)]: Date.now() + seconds * 1_000 });
      password.current?.select();
    },
  });
  const opensAt = locks[lockName(login)];
  const waitS = useSecondsUntil(opensAt);
  const failedNow = enter.isError && lockName(enter.variables.login) === lockName(login);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (!enter.isPending && waitS === 0)
      enter.mutate({ login: `${form.get('login') as string}`.trim(), password: form.get('password') as string });
  }
  return (
    <SignInFrame title="Sign in" about="Sign in to use your files, keys and connected folders.">
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <TextField
          label="Email or name"
          name="login"
          value={login}
          onText={setLogin}
          autoComplete="username"
          autoCapitalize="none"
          required
          autoFocus
        />
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
        {opensAt !== undefined && (waitS > 0 || isLockError(enter.error)) ? (
          <AttemptLockNote login={login.trim()} waitS={waitS} />
        ) : (
          failedNow && (
            <Callout tone="bad" role="alert" icon={<TriangleAlert size={16} />}>
              {sentenceOf(enter.error)}
            </Callout>
          )
        )}
        <Button type="submit" look="primary" busy={enter.isPending} disabled={waitS > 0} className="mt-1 w-full">
          Sign in
        </Button>
      </form>
      <p className="mt-6 text-sm text-soft">No account? Ask an administrator of this server to add one.</p>
    </SignInFrame>
  );
}

function isLockError(error: unknown): boolean {
  return error instanceof ApiError && error.retryAfterS !== undefined;
}
