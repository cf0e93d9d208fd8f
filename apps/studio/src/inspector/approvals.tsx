import type { Json } from '@croft/flow';
import { UserCheck } from 'lucide-react';
import { useContext, useState } from 'react';
import type { Interrupted, Question } from '../canvas/run-state.ts';
import { shownValue } from '../runs/shown-value.ts';
import { ValueView } from '../runs/value-view.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { NameText } from '../ui/name-text.tsx';
import { Callout, sentenceOf } from '../ui/state.tsx';
import { AnswerRunContext } from './answer-run.tsx';

/** The open questions of a run, each with its answers and a comment. */
export function Approvals({
  questions,
  titleOf,
}: {
  questions: readonly Question[];
  titleOf: (node: string) => string;
}) {
  return (
    <>
      {questions.map((question) => (
        <ApprovalCard key={question.key} question={question} title={titleOf(question.node)} />
      ))}
    </>
  );
}

function ApprovalCard({ question, title }: { question: Question; title: string }) {
  const [comment, setComment] = useState('');
  const value = question.context as Json;
  return (
    <section aria-label={`${title} waits for you`} className="grid gap-3 rounded-md border border-warn/40 p-3.5">
      <p role="status" className="flex items-center gap-2 text-sm font-medium text-warn">
        <UserCheck size={16} aria-hidden="true" /> {title} waits for you
      </p>
      <p className="font-medium [overflow-wrap:anywhere]">
        <NameText name={question.text} hasLines />
      </p>
      {shownValue(value).kind !== 'empty' && <ValueView value={value} label="Value in question" showsUnseen />}
      <Field label="Comment (optional)">
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={10_000}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
            className="w-full rounded-md border border-edge bg-surface px-3 py-2"
          />
        )}
      </Field>
      <AnswerButtons question={question} comment={comment} />
    </section>
  );
}

/** One button for each answer. An error of the server is shown below them. */
export function AnswerButtons({
  question: { key, options },
  comment = '',
  small = false,
}: {
  question: Question;
  comment?: string;
  small?: boolean;
}) {
  const { answer } = useContext(AnswerRunContext);
  const { busy, problem, attempt } = useAttempt();
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {options.map((option, index) => (
          <Button
            key={option}
            small={small}
            look={index === 0 ? 'primary' : 'plain'}
            busy={busy === option}
            disabled={busy !== undefined && busy !== option}
            onClick={() => attempt(option, () => answer(key, option, comment))}
          >
            {wordOf(option)}
          </Button>
        ))}
      </div>
      <p role="alert" className="text-sm text-bad empty:hidden">
        {problem}
      </p>
    </>
  );
}

/** Asks whether an effect is repeated that may have happened or not. */
export function Decision({
  interrupted: { key, node, message },
  titleOf,
}: {
  interrupted: Interrupted;
  titleOf: (node: string) => string;
}) {
  const { decide } = useContext(AnswerRunContext);
  const { busy, problem, attempt } = useAttempt();
  return (
    <Callout tone="warn" role="status" icon={<UserCheck size={16} />}>
      {node !== undefined && <p className="font-medium">{titleOf(node)} was interrupted</p>}
      <p>{message}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          small
          busy={busy === 'repeat'}
          disabled={busy === 'skip'}
          onClick={() => attempt('repeat', () => decide(key, 'repeat'))}
        >
          Run it again
        </Button>
        <Button
          small
          busy={busy === 'skip'}
          disabled={busy === 'repeat'}
          onClick={() => attempt('skip', () => decide(key, 'skip'))}
        >
          Skip it
        </Button>
      </div>
      <p role="alert" className="mt-1 empty:hidden">
        {problem}
      </p>
    </Callout>
  );
}

function useAttempt() {
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  return {
    busy,
    problem,
    attempt(name: string, work: () => Promise<void>) {
      setBusy(name);
      setProblem(undefined);
      void work()
        .catch((error: unknown) => setProblem(sentenceOf(error)))
        .finally(() => setBusy(undefined));
    },
  };
}

const wordOf = (option: string) => `${option.charAt(0).toUpperCase()}${option.slice(1)}`;
