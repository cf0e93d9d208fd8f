import { variableParts } from '@croft/flow';
import type { KeyboardEvent } from 'react';
import type { FieldControl } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { escapeText, unescapeText } from './node-fields.ts';
import { draftInput, isLiveText, useDraft } from './use-draft.ts';

/** The attributes that every control of a value takes. */
export interface ValueControl<T> {
  readonly control: FieldControl;
  readonly value: T;
  readonly onValue: (value: T) => void;
  readonly disabled: boolean;
}

/** A text on one line. `escaped`: line breaks are written as `\n`. */
export function TextControl({
  control,
  value,
  onValue,
  disabled,
  placeholder,
  escaped,
}: ValueControl<string> & { placeholder?: string | undefined; escaped: boolean }) {
  const draft = useDraft(
    escaped ? escapeText(value) : value,
    (text) => onValue(escaped ? unescapeText(text) : text),
    isLiveText,
  );
  return (
    <Input
      {...control}
      autoComplete="off"
      placeholder={placeholder}
      disabled={disabled}
      {...draftInput(draft)}
      className={escaped ? 'font-mono text-sm' : undefined}
    />
  );
}

/** A longer text is shown without marks: they would slow down typing. */
const MAX_MARKED = 20_000;

/** A long text that grows with its content. Its variables are marked if `hasVariables`. */
export function LongTextControl({
  control,
  value,
  onValue,
  disabled,
  placeholder,
  hasVariables,
}: ValueControl<string> & { placeholder?: string | undefined; hasVariables: boolean }) {
  const draft = useDraft(value, onValue, isLiveText);
  const isMarked = draft.value.length <= MAX_MARKED;
  const parts = isMarked && hasVariables ? variableParts(draft.value) : [];
  const look = 'col-start-1 row-start-1 min-h-20 min-w-0 px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]';
  return (
    <div className="max-h-96 overflow-y-auto rounded-md border border-edge bg-surface has-disabled:opacity-60 has-aria-invalid:border-bad hovered:border-ink/60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
      <div className="grid grid-cols-1">
        <div aria-hidden="true" className={`${look} text-transparent select-none max-sm:text-[1rem]`}>
          {parts.length === 0 && isMarked && draft.value}
          {parts.map(({ text, isVariable }, index) =>
            isVariable ? (
              // oxlint-disable-next-line react/no-array-index-key -- pieces of one text have no other identity
              <mark key={index} className="rounded-sm bg-accent-soft text-transparent ring-1 ring-accent/40">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
          {/* A line break at the end has no height without text after it. */}
          {'\u200b'}
        </div>
        <textarea
          {...control}
          rows={isMarked ? 1 : 14}
          disabled={disabled}
          placeholder={placeholder}
          value={draft.value}
          onChange={(event) => draft.set(event.target.value)}
          onBlur={draft.flush}
          onKeyDown={(event) => isCommit(event) && draft.flush()}
          className={`${look} resize-none bg-transparent outline-none! ${isMarked ? 'overflow-hidden' : ''} max-sm:text-[1rem]`}
        />
      </div>
    </div>
  );
}

const isCommit = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key === 'Enter' && (ctrlKey || metaKey);
