import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

const FIELD =
  'w-full min-w-0 rounded-md border bg-surface text-ink disabled:opacity-60 aria-invalid:border-bad border-edge hovered:border-ink/60';

/** A line of text. Mark it invalid by `aria-invalid`; `Field` does so and says why. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(FIELD, 'min-h-9 px-3 py-1.5 max-sm:min-h-10 max-sm:text-[1rem]', className)} />;
}

/** The system's own select: it works on every device and needs no script. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={cn(FIELD, 'min-h-9 px-2.5 py-1.5 max-sm:min-h-10', className)} />;
}
