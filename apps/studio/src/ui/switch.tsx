import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

/** A switch that takes effect at once, without a save button. Name it with `aria-label` or `aria-labelledby`. */
export function Switch({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      {...rest}
      className={cn(
        'relative h-6 w-10 shrink-0 rounded-full border border-edge bg-sunken transition-colors duration-150',
        'data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50',
        className,
      )}
    >
      <Radix.Thumb
        className={cn(
          'absolute top-[3px] left-[3px] size-4 rounded-full bg-edge transition-transform duration-150 ease-calm',
          'data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent',
        )}
      />
    </Radix.Root>
  );
}
