import { Check, Minus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

const SIGN = 'pointer-events-none absolute inset-0 m-auto text-on-accent opacity-0';

/** A box that is ticked, empty, or partly so (`checked="indeterminate"`). Native inside: a folder has two thousand. */
export function Checkbox({
  className,
  checked = false,
  onCheckedChange,
  ...rest
}: Omit<ComponentProps<'input'>, 'checked' | 'type'> & {
  checked?: boolean | 'indeterminate';
  onCheckedChange?: (checked: boolean) => void;
}) {
  return (
    <span className={cn('relative inline-block size-[18px] shrink-0 align-middle', className)}>
      <input
        {...rest}
        type="checkbox"
        checked={checked === true}
        ref={(input) => {
          if (input) input.indeterminate = checked === 'indeterminate';
        }}
        onChange={(event) => onCheckedChange?.(event.target.checked)}
        className={cn(
          'peer block size-full cursor-pointer appearance-none rounded-sm border border-edge bg-surface before:absolute before:-inset-2',
          'checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50',
        )}
      />
      <Check aria-hidden="true" size={14} strokeWidth={3} className={cn(SIGN, 'peer-checked:opacity-100')} />
      <Minus aria-hidden="true" size={14} strokeWidth={3} className={cn(SIGN, 'peer-indeterminate:opacity-100')} />
    </span>
  );
}
