import { cn } from './class-names.ts';

/** A turning ring beside words that say what is waited for. Decoration: it has no name of its own. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent',
        className,
      )}
    />
  );
}
