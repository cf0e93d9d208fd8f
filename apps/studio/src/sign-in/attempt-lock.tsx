import { TriangleAlert } from 'lucide-react';
import { Callout } from '../ui/state.tsx';

/** Names that must wait after too many attempts, and when each may try again. Other names are not affected. */
export type AttemptLocks = Readonly<Record<string, number>>;

/** The spelling under which a name is locked; the server counts attempts of all spellings together. */
export function lockName(login: string): string {
  return login.trim().toLowerCase();
}

/**
 * Says that a name must wait, and shows for how long. A screen reader hears the alert once and the end of the wait; it would
 * otherwise read every second of the countdown.
 */
export function AttemptLockNote({ login, waitS }: { login: string; waitS: number }) {
  return (
    <div className="grid gap-2">
      <Callout tone="bad" role="alert" icon={<TriangleAlert size={16} />}>
        Too many attempts to sign in as {login}. Wait, or sign in with another name.
      </Callout>
      {waitS > 0 && (
        <p aria-hidden="true" className="text-sm text-soft tabular-nums">
          You can try again in {waitS < 90 ? `${waitS} s` : `${Math.ceil(waitS / 60)} min`}.
        </p>
      )}
      <p role="status" className="text-sm text-soft empty:hidden">
        {waitS === 0 && 'You can try again now.'}
      </p>
    </div>
  );
}
