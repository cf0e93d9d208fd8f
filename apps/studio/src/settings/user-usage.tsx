import type { ManagedUser } from '../api/users.ts';
import { formatBytes, formatExactly, formatWhen } from '../files/format.ts';
import { cn } from '../ui/class-names.ts';

/** A user is shown as near their quota from this share on. */
const NEAR = 0.9;

/** The last activity, storage and flows of a user. */
export function UserUsage({ user, quotaBytes }: { user: ManagedUser; quotaBytes: number | null }) {
  const { lastActiveAt, storage, flows } = user;
  const bytes = storage?.bytes ?? null;
  const isNear = quotaBytes !== null && bytes !== null && bytes >= quotaBytes * NEAR;
  return (
    <p className="shrink-0 text-sm text-soft @min-[40rem]:grid @min-[40rem]:justify-items-end @min-[40rem]:text-right">
      <span>
        {lastActiveAt === null ? (
          'Never active'
        ) : (
          <time dateTime={lastActiveAt} title={formatExactly(lastActiveAt)}>
            Active {formatWhen(lastActiveAt)}
          </time>
        )}
        <span className="@min-[40rem]:hidden"> · </span>
      </span>
      <span>
        <span
          className={cn(isNear && 'font-medium text-warn')}
          title={storage === null ? undefined : `Counted ${formatExactly(storage.countedAt)}`}
        >
          {storage === null
            ? 'Counting files …'
            : bytes === null
              ? 'Files cannot be read'
              : sizeText(bytes, quotaBytes)}
        </span>{' '}
        · {flows === 1 ? '1 flow' : `${flows} flows`}
      </span>
    </p>
  );
}

const sizeText = (bytes: number, quotaBytes: number | null): string =>
  quotaBytes === null ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(quotaBytes)}`;

/** An order of the users. */
export type UserOrder = 'added' | 'active' | 'storage';

/** Sorts users: those who were active last, or have the largest files, come first. Others keep their order. */
export function sortUsers(users: readonly ManagedUser[], order: UserOrder): readonly ManagedUser[] {
  if (order === 'added') return users;
  const rank = ({ lastActiveAt, storage }: ManagedUser) =>
    order === 'active' ? Date.parse(lastActiveAt ?? '1970-01-01') : (storage?.bytes ?? -1);
  return [...users].sort((a, b) => rank(b) - rank(a));
}
