import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatExactly, formatWhen } from '../files/format.ts';
import { Link } from '../routing/link.tsx';
import { Switch } from '../ui/switch.tsx';

/** A webhook or a schedule in its list. */
export function TriggerRow({
  name,
  about,
  isOn,
  lastAt,
  lastRun,
  failure,
  onSwitch,
  actions,
}: {
  name: string;
  about: ReactNode;
  isOn: boolean;
  lastAt: string | null;
  lastRun: string | null;
  failure: string | null;
  onSwitch: (isOn: boolean) => void;
  actions: ReactNode;
}) {
  return (
    <li className="flex items-center gap-4 border-b border-line px-5 py-3 last:border-0">
      <Switch aria-label={`${name} is on`} checked={isOn} onCheckedChange={onSwitch} />
      <div className="min-w-0 grow">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          {about}
          {lastAt && (
            <>
              {' · '}
              {lastRun ? (
                <Link to={`/runs/${lastRun}`} className="text-accent-strong underline underline-offset-2">
                  ran <time title={formatExactly(lastAt)}>{formatWhen(lastAt)}</time>
                </Link>
              ) : (
                <>last {formatWhen(lastAt)}</>
              )}
            </>
          )}
        </p>
        {failure && (
          <p className="mt-1 flex items-start gap-1.5 text-sm text-bad">
            <CircleAlert size={15} aria-hidden="true" className="mt-0.5 shrink-0" /> {failure}
          </p>
        )}
      </div>
      {actions}
    </li>
  );
}
