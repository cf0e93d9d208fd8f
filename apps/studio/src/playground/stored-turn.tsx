import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import type { ChatMessage } from '../api/chats.ts';
import { runQuery } from '../api/runs.ts';
import { FailureNote } from '../runs/failure-note.tsx';
import { RunFacts } from '../runs/run-facts.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { AnswerText } from './answer-text.tsx';
import { FlowMessage, UserMessage } from './message.tsx';
import { RunLink } from './run-link.tsx';
import { hasAnswer, isAsked, questionOf, type Turn } from './turns.ts';

/** The messages of an earlier run. */
export function StoredTurn({
  turn,
  titleOf,
  onRetry,
}: {
  turn: Turn;
  titleOf: (node: string) => string;
  /** Of the latest turn. */
  onRetry: ((text: string, turn: Turn) => void) | undefined;
}) {
  const { messages } = turn;
  const question = questionOf(turn);
  return (
    <>
      {messages.filter(isAsked).map((message) => (
        <UserMessage key={message.id} text={message.text} />
      ))}
      <div className="grid min-w-0 grid-cols-1 gap-3">
        {messages
          .filter((message) => !isAsked(message))
          .map((message) => (
            <FlowMessage key={message.id} message={message} />
          ))}
        {!hasAnswer(turn) && <Outcome runId={turn.runId} titleOf={titleOf} />}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 empty:hidden">
          {onRetry && question !== '' && (
            <Button small onClick={() => onRetry(question, turn)}>
              <RotateCcw size={14} aria-hidden="true" /> {hasAnswer(turn) ? 'Answer again' : 'Try again'}
            </Button>
          )}
          <AnswerFoot message={messages.findLast((each) => !isAsked(each))} />
          <RunLink id={turn.runId} />
        </div>
      </div>
    </>
  );
}

function AnswerFoot({ message }: { message: ChatMessage | undefined }) {
  if (!message) return null;
  return (
    <>
      <CopyButton text={message.text} label="Copy" small />
      <RunFacts tokens={message.tokens} />
    </>
  );
}

const ENDED: Readonly<Record<string, string>> = {
  cancelled: 'Stopped before the flow answered.',
  timed_out: 'The run took too long and was ended.',
  interrupted: 'The run was interrupted.',
  completed: 'The flow gave no text.',
};

/** How a run without an answer ended. */
function Outcome({ runId, titleOf }: { runId: string; titleOf: (node: string) => string }) {
  const { data, error } = useQuery(runQuery(runId));
  if (error)
    return <p className="text-sm text-soft">This message has no answer. Its run is not in the history any more.</p>;
  if (!data) return null;
  if (data.failure) return <FailureNote failure={data.failure} titleOf={titleOf} />;
  if (data.status === 'completed' && data.text) return <AnswerText text={data.text} />;
  return <p className="text-sm text-soft">{ENDED[data.status] ?? 'The run is under way.'}</p>;
}
