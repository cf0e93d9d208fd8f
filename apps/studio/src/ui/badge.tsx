import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

/** Meanings of a badge. */
export type BadgeTone = 'neutral' | 'good' | 'warn' | 'bad';

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-soft border-line',
  good: 'bg-accent-soft text-accent-strong border-accent/30',
  warn: 'bg-warn-soft text-warn border-warn/30',
  bad: 'bg-bad-soft text-bad border-bad/30',
};

/** A short label. `dot` adds a mark before it. */
export function Badge({
  tone = 'neutral',
  dot = false,
  children,
}: {
  tone?: BadgeTone;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      {dot && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  );
}
