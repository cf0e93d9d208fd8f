import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

/** A field with a line of text. `onText` gets the text after each change; other attributes go to the input. */
export function TextField({
  label,
  hint,
  error,
  onText,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange'> & {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  onText: (text: string) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input autoComplete="off" {...rest} {...control} onChange={(event) => onText(event.target.value)} />
      )}
    </Field>
  );
}
