import { cn } from './class-names.ts';

/** A progress bar; the value is 0 to 1. */
export function Progress({ value, label, tone = 'good' }: { value: number; label: string; tone?: 'good' | 'bad' }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={cn('h-full rounded-full transition-[width] duration-200', tone === 'good' ? 'bg-accent' : 'bg-bad')}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

/** The used part of a limit, 0 to 1; shows a warning from 0.9. `text` describes it. */
export function Meter({ value, label, text }: { value: number; label: string; text: string }) {
  const share = Math.min(1, Math.max(0, value));
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={cn('h-full rounded-full', share >= 1 ? 'bg-bad' : share >= 0.9 ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${Math.max(share * 100, share > 0 ? 1.5 : 0)}%` }}
      />
    </div>
  );
}
