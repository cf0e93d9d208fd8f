import { type ReactNode, useId } from 'react';
import { cn } from './class-names.ts';

/** A choice of a few visible options. Uses native radio buttons: arrow keys move, and the choice is announced. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
  className,
}: {
  label: string;
  value: T;
  options: readonly { value: T; label: ReactNode }[];
  onChange: (value: T) => void;
  disabled?: boolean;
  className?: string;
}) {
  const name = useId();
  return (
    <fieldset
      disabled={disabled}
      className={cn('inline-flex rounded-md border border-line bg-sunken p-0.5 disabled:opacity-50', className)}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cn(
            'relative inline-flex min-h-8 items-center justify-center gap-1.5 rounded-sm px-3 text-sm font-medium text-soft max-sm:min-h-9',
            'transition-colors duration-100 has-checked:bg-surface has-checked:text-ink has-checked:shadow-card hovered:text-ink',
            'has-focus-visible:outline-2 has-focus-visible:outline-accent',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-sm outline-none!"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
