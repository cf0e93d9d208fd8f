import { SendHorizontal, Square } from 'lucide-react';
import type { MessageField } from '../playground/use-message-field.ts';
import { Button } from '../ui/button.tsx';

const MAX_CHARS = 20_000;

/** The field for the next message of a visitor. */
export function VisitorField({
  isBusy,
  field,
  onSend,
  onStop,
}: {
  isBusy: boolean;
  field: MessageField;
  onSend: (text: string) => void;
  onStop: () => void;
}) {
  const message = field.text.trim();
  function send() {
    if (isBusy || message === '') return;
    onSend(message);
    field.fill('');
  }
  return (
    <div className="border-t border-line bg-canvas px-4 py-3 md:px-6">
      <div className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-2">
        <div className="flex items-end gap-2 rounded-lg border border-edge bg-surface p-2 shadow-card focus-within:border-accent">
          <textarea
            {...field.props(send)}
            aria-label="Message"
            rows={1}
            maxLength={MAX_CHARS}
            placeholder="Write a message"
            className="field-sizing-content max-h-[30dvh] min-h-9 w-full resize-none bg-transparent px-2 py-1.5 outline-none max-sm:text-[1rem]"
          />
          {isBusy ? (
            <Button key="stop" small onClick={onStop}>
              <Square size={14} aria-hidden="true" /> Stop
            </Button>
          ) : (
            <Button key="send" small look="primary" aria-disabled={message === ''} onClick={send}>
              Send <SendHorizontal size={15} aria-hidden="true" />
            </Button>
          )}
        </div>
        <p className="text-center text-xs text-soft">
          Answers can be wrong. The owner of this flow can read what you write.
        </p>
      </div>
    </div>
  );
}
