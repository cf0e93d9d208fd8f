import { type ChangeEvent, type KeyboardEvent, type RefObject, useRef } from 'react';

/** The text of the next message, which a person writes or takes from a suggestion. */
export interface MessageField {
  readonly text: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  /** Puts a text into the field and the cursor after it. */
  fill(text: string): void;
  /** Props of the `textarea`. Enter calls `send`, Shift+Enter begins a line. */
  props(send: () => void): {
    readonly ref: RefObject<HTMLTextAreaElement | null>;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** The field of a text, which the caller keeps. */
export function useMessageField([text, setText]: readonly [
  text: string,
  setText: (text: string) => void,
]): MessageField {
  const input = useRef<HTMLTextAreaElement>(null);
  return {
    text,
    input,
    fill(next) {
      setText(next);
      // Not in an effect: Enter could be pressed before it runs, or the same text be asked for again.
      input.current?.focus();
    },
    props: (send) => ({
      ref: input,
      value: text,
      onChange: ({ target }) => setText(target.value),
      onKeyDown(event) {
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        send();
      },
    }),
  };
}
