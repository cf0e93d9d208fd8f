import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';
import { spelledName } from './unseen-characters.ts';

/** The empty state: says what will be here and offers the first step. */
export function EmptyState({
  icon,
  title,
  children,
  action,
  isPage = false,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is all there is on the page, so its title is that of the page. */
  isPage?: boolean;
}) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div
      className={cn(
        'grid content-center justify-items-center gap-1 px-6 text-center',
        isPage ? 'py-12' : 'py-8 max-md:py-6',
      )}
    >
      <span aria-hidden="true" className="mb-2 grid size-11 place-items-center rounded-full bg-accent-soft text-accent">
        {icon}
      </span>
      <Title className="text-lg font-semibold tracking-tight">{title}</Title>
      {children && <p className="max-w-sm text-soft">{children}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** The failed state: the server's error and a next step. */
export function ErrorState({
  title,
  error,
  onRetry,
  action,
  isPage = false,
}: {
  title: string;
  error: unknown;
  onRetry?: () => void;
  action?: ReactNode;
  /** It is all there is on the page, so its title is that of the page. */
  isPage?: boolean;
}) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div role="alert" className="grid content-center justify-items-center gap-1 px-6 py-12 text-center">
      <span aria-hidden="true" className="mb-2 grid size-11 place-items-center rounded-full bg-bad-soft text-bad">
        <CircleAlert size={22} />
      </span>
      <Title className="text-lg font-semibold tracking-tight">{title}</Title>
      <p className="max-w-md text-soft [overflow-wrap:anywhere]">{sentenceOf(error)}</p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {onRetry && <Button onClick={onRetry}>Try again</Button>}
        {action}
      </div>
    </div>
  );
}

/** A note inside a view. */
export function Callout({
  tone = 'neutral',
  icon,
  children,
  role,
}: {
  tone?: 'neutral' | 'warn' | 'bad' | 'good';
  icon?: ReactNode;
  children: ReactNode;
  role?: 'status' | 'alert';
}) {
  return (
    <div
      role={role}
      className={cn(
        'flex items-start gap-2.5 rounded-md border px-3.5 py-2.5 text-sm',
        tone === 'neutral' && 'border-line bg-sunken text-ink',
        tone === 'good' && 'border-accent/30 bg-accent-soft text-ink',
        tone === 'warn' && 'border-warn/30 bg-warn-soft text-warn',
        tone === 'bad' && 'border-bad/30 bg-bad-soft text-bad',
      )}
    >
      {icon && (
        <span aria-hidden="true" className="mt-0.5 shrink-0">
          {icon}
        </span>
      )}
      <div className="min-w-0 grow [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}

/** The message of a thrown error. */
export function sentenceOf(error: unknown): string {
  // Errors of the server quote the request, which may have invisible characters.
  return error instanceof Error && error.message ? spelledName(error.message) : 'Something went wrong. Try again.';
}
