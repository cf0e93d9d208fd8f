import { CopyButton } from '../ui/copy-button.tsx';
import { RotateCcw } from 'lucide-react';
import { useDeferredValue, useSyncExternalStore } from 'react';
import { isUnderWay } from '../canvas/run-state.ts';
import { Approvals, Decision } from '../inspector/approvals.tsx';
import { Link } from '../routing/link.tsx';
import { FailureNote } from '../runs/failure-note.tsx';
import { RunFacts } from '../runs/run-facts.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { AnswerText } from './answer-text.tsx';
import { FlowMessage, UserMessage } from './message.tsx';
import { RunLink } from './run-link.tsx';
import { Steps } from './steps.tsx';
import { isAsked, type Turn } from './turns.ts';
import type { Chat, LiveTurn } from './use-chat.ts';

const ENDED: Readonly<Record<string, string>> = {
  cancelled: 'Stopped. The flow did not finish its answer.',
  timed_out: 'The run took too long and was ended.',
  interrupted: 'The run was interrupted.',
};

/** The latest message with its run: the answer as it is written, calls of tools, questions, and how it ended. */
export function LiveTurnView({
  chat: { store, run },
  live,
  flowId,
  stored,
  titleOf,
  onRetry,
}: {
  chat: Chat;
  live: LiveTurn;
  flowId: string;
  /** The messages of the run that the server has. */
  stored: Turn | undefined;
  titleOf: (node: string) => string;
  onRetry: (text: string, turn: Turn | undefined) => void;
}) {
  const { draft, steps } = useSyncExternalStore(store.subscribe, store.transcript);
  const isBusy = isUnderWay(run);
  const answers = isBusy ? [] : (stored?.messages.filter((each) => !isAsked(each)) ?? []);
  const isDone = run.status === 'completed';
  const failed = run.status === 'failed' || run.status === 'timed_out' || run.status === 'interrupted';
  const { metrics } = run;
  const tokens = metrics && { input: metrics.input_tokens, output: metrics.output_tokens };
  const answer = answers.at(-1)?.text ?? (draft || run.text);
  const ended = ENDED[run.status];
  return (
    <>
      <UserMessage text={live.text} />
      <div className="grid min-w-0 grid-cols-1 gap-3">
        <Steps steps={steps} titleOf={titleOf} />
        {answers.map((message) => (
          <FlowMessage key={message.id} message={message} />
        ))}
        {answers.length === 0 && <Draft text={draft || (isDone ? run.text : '')} isBusy={isBusy} />}
        <p role="status" className="flex items-center gap-2 text-sm text-soft empty:hidden">
          {isBusy && run.questions === undefined && run.interrupted === undefined && (
            <>
              <Spinner className="size-3.5" /> {draft === '' ? 'Working' : 'Writing'}
            </>
          )}
          {isDone && <span className="sr-only">The flow has answered.</span>}
          {isDone && answer === '' && 'The flow gave no text.'}
          {!run.failure && ended}
        </p>
        {run.questions && <Approvals questions={run.questions} titleOf={titleOf} />}
        {run.interrupted && <Decision interrupted={run.interrupted} titleOf={titleOf} />}
        {run.failure && (
          <FailureNote
            failure={run.failure}
            titleOf={titleOf}
            action={
              run.failure.node !== undefined && (
                <Link to={`/flows/${flowId}`} className={buttonClass('plain', true)}>
                  Open the canvas
                </Link>
              )
            }
          />
        )}
        {!isBusy && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <Button small onClick={() => onRetry(live.text, stored)}>
              <RotateCcw size={14} aria-hidden="true" /> {failed ? 'Try again' : 'Answer again'}
            </Button>
            {isDone && answer !== '' && <CopyButton text={answer} label="Copy" small />}
            {live.runId !== undefined && <RunLink id={live.runId} />}
            {metrics && <RunFacts ms={metrics.duration_seconds * 1_000} tokens={tokens} />}
          </div>
        )}
      </div>
    </>
  );
}

/** An answer that is still written. Renders after more urgent work, because a long text takes long to lay out. */
function Draft({ text, isBusy }: { text: string; isBusy: boolean }) {
  const shown = useDeferredValue(text);
  if (shown === '') return null;
  return (
    <div aria-busy={isBusy} className="min-w-0">
      <AnswerText text={shown} />
    </div>
  );
}
