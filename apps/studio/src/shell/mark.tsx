import { cn } from '../ui/class-names.ts';

/** The logo. Decorative, because the name is beside it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
      className={cn('text-accent', className)}
    >
      <rect x="3" y="3" width="18" height="18" rx="4" />
      <path d="M8 16c0-4 3.500-7 8-8-.5 5-3.500 8-8 8Z" fill="currentColor" stroke="none" />
    </svg>
  );
}
