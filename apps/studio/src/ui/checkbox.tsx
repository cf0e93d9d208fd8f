import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

/** A box that is ticked, empty, or partly so (`checked="indeterminate"`). */
export function Checkbox({ className, checked, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      {...rest}
      checked={checked}
      className={cn(
        'relative inline-grid size-[18px] shrink-0 align-middle place-items-center rounded-sm border border-edge bg-surface text-on-accent',
        'before:absolute before:-inset-2 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        'data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent disabled:opacity-50',
        className,
      )}
    >
      <Radix.Indicator>
        {checked === 'indeterminate' ? <Minus size={14} strokeWidth={3} /> : <Check size={14} strokeWidth={3} />}
      </Radix.Indicator>
    </Radix.Root>
  );
}
