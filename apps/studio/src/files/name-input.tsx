import { type ComponentProps, type RefObject, useEffect, useRef } from 'react';
import { ApiError } from '../api/request.ts';
import { Input } from '../ui/input.tsx';
import { sentenceOf } from '../ui/state.tsx';
import { splitName } from './paths.ts';

/** The input for the name of a file or folder; `input` is from {@link useNameInput}. */
export function NameInput({
  input,
  onName,
  ...rest
}: Omit<ComponentProps<typeof Input>, 'onChange' | 'ref'> & {
  input: RefObject<HTMLInputElement | null>;
  onName: (name: string) => void;
}) {
  return (
    <Input
      {...rest}
      ref={input}
      data-first
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onName(event.target.value)}
    />
  );
}

/** Selects the name without its extension, which users mostly keep. Call it in the component that has the dialog. */
export function useNameInput(before: string): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.setSelectionRange(0, splitName(before)[0].length), [before]);
  return input;
}

/** The reason why the server refused a name, as a sentence. */
export function refusedName(error: Error): string {
  const isTaken = error instanceof ApiError && error.code === 'exists';
  return isTaken ? 'This name is taken. Choose another.' : sentenceOf(error);
}
