import { MessageSquare } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/state.tsx';

const MAX_SHOWN = 80;

/** A conversation without messages: what to do, and the example of the flow. */
export function ChatStart({
  name,
  sample,
  onSample,
  isPublic = false,
}: {
  name: string;
  /** The message in the flow itself. */
  sample: string;
  onSample: (text: string) => void;
  /** The reader has no account: the flow is not theirs. */
  isPublic?: boolean;
}) {
  return (
    <EmptyState
      icon={<MessageSquare size={22} />}
      title={`Chat with ${name}`}
      action={
        sample !== '' && (
          <Button onClick={() => onSample(sample)}>
            {sample.length > MAX_SHOWN ? `${sample.slice(0, MAX_SHOWN)}…` : sample}
          </Button>
        )
      }
    >
      {isPublic
        ? 'Write a message. This browser tab keeps the chat until you close it.'
        : 'Write a message. The flow remembers the earlier messages of a chat where one of its components reads them.'}
    </EmptyState>
  );
}
