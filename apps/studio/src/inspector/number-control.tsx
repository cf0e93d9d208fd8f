import type { Field, Json } from '@croft/flow';
import { cn } from '../ui/class-names.ts';
import { Input } from '../ui/input.tsx';
import type { ValueControl } from './text-control.tsx';
import { draftInput, useDraft } from './use-draft.ts';

/** A number; a slider beside it where the field has a range. Empty: no value. */
export function NumberControl({
  control,
  value,
  onValue,
  disabled,
  field: { kind, label, min, max, step, placeholder },
}: ValueControl<Json> & { field: Field }) {
  const draft = useDraft(value === null ? '' : `${value as number}`, (text) => onValue(readNumber(text)), isLive);
  const attributes = { min, max, step: kind === 'integer' ? 1 : (step ?? 'any'), disabled };
  const isSlider = kind === 'slider' && min !== undefined && max !== undefined;
  return (
    <span className="flex items-center gap-3">
      {isSlider && (
        <input
          {...attributes}
          type="range"
          aria-label={`${label}, slider`}
          value={draft.value === '' ? min : draft.value}
          onChange={(event) => draft.set(event.target.value)}
          onPointerUp={draft.flush}
          onBlur={draft.flush}
          className="h-6 min-w-0 grow accent-accent"
        />
      )}
      <Input
        {...control}
        {...attributes}
        type="number"
        inputMode={kind === 'integer' ? 'numeric' : 'decimal'}
        placeholder={placeholder}
        {...draftInput(draft)}
        className={cn(isSlider && 'w-20! shrink-0')}
      />
    </span>
  );
}

/** The text of an unfinished number, such as its sign, is empty. */
const isLive = (text: string): boolean => text !== '';

/** The number in a text; null where it has none. */
function readNumber(text: string): number | null {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}
