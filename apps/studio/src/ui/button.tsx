import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';
import { Spinner } from './spinner.tsx';

/** Variants of a button. One `primary` per view; `danger` only if data is lost. */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

const LOOKS: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent border-transparent hovered:bg-accent-strong',
  plain: 'bg-surface text-ink border-edge/60 hovered:bg-hover',
  quiet: 'bg-transparent text-ink border-transparent hovered:bg-hover',
  danger: 'bg-bad text-on-bad border-transparent hovered:bg-bad-strong',
};

/** Props of a button besides the attributes of its element. */
export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  small?: boolean;
  /** Shows a spinner, announces it, and ignores clicks. Keeps the width. */
  busy?: boolean;
}

/** The classes of a button, for links that look like one. */
export function buttonClass(look: ButtonLook = 'plain', small = false): string {
  return cn(
    'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap',
    'transition-colors duration-100 disabled:opacity-50 aria-disabled:opacity-60',
    small ? 'min-h-8 px-2.5 text-sm' : 'min-h-9 px-3.5 text-base max-sm:min-h-10',
    LOOKS[look],
  );
}

/** A button; its default type is `button`. */
export function Button({ look = 'plain', small = false, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      className={cn(buttonClass(look, small), className)}
    >
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
      <span className={cn('inline-flex items-center gap-2', busy && 'invisible')}>{children}</span>
      {busy && <span className="sr-only">Working</span>}
    </button>
  );
}

/** A square button with only an icon. `label` is its name for screen readers. */
export function IconButton({
  label,
  look = 'quiet',
  className,
  children,
  ...rest
}: Omit<ButtonProps, 'busy' | 'small'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cn(
        'inline-grid size-9 shrink-0 place-items-center rounded-md border transition-colors duration-100 disabled:opacity-50',
        LOOKS[look],
        className,
      )}
    >
      {children}
    </button>
  );
}
