import { repeatsResult } from '@croft/assistant/events';
import {
  Check,
  CircleAlert,
  CircleHelp,
  Info,
  Link2,
  Link2Off,
  Play,
  Plus,
  Settings,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { MarkdownText } from '../files/markdown-text.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Callout } from '../ui/state.tsx';
import { type BuildTask, taskText, titlesOf } from './build-task.ts';
import type { ChatParts } from './assistant-flow.ts';
import { ComponentCard } from './component-card.tsx';
import { runCostText } from './cost-text.ts';
import { FieldCards } from './field-cards.tsx';
import { FileCard } from './file-card.tsx';
import { FlowCard } from './flow-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { othersChanged } from './turn-versions.ts';
import { isUnderWay, type TurnRun, type TurnView } from './turn-view.ts';

/** One turn: what it does, what it said, and what waits for the user. */
export function TurnItem({ turn, ...parts }: ChatParts & { turn: TurnView }) {
  const {
    tasks,
    notices,
    text,
    answers,
    question,
    failure,
    run,
    files,
    plan,
    flow,
    fields,
    key,
    check,
    isReverted,
    components,
  } = turn;
  return (
    <div className="grid grid-cols-1 gap-2.5 text-sm" aria-busy={isUnderWay(turn)}>
      <BuildTasks tasks={tasks} titleOf={titlesOf(parts.flow.document, parts.flow.registry)} />
      {text !== '' && <MarkdownText path="" text={text} isChat under={2} />}
      {answers.map((each) => (
        <p key={each.text} className="flex items-start gap-2 text-soft">
          <CircleHelp size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
          <span>
            {each.text} <span className="text-ink">{each.choice}</span>
          </span>
        </p>
      ))}
      {isUnderWay(turn) && !question && <Working turn={turn} />}
      {question && <QuestionCard key={question.id} question={question} turnKey={key} {...parts} />}
      {notices.map(({ type, message }, index) => (
        <Callout key={`${type}${index}`}>{message}</Callout>
      ))}
      {othersChanged(turn) && <Callout>The canvas was changed elsewhere meanwhile. Those changes are kept.</Callout>}
      {!isReverted && <CheckNote check={check} />}
      {run && <RunLine run={run} isRepeated={repeatsResult(text, run.text)} />}
      {plan && <PlanCard plan={plan} turnKey={key} {...parts} />}
      {flow && <FlowCard offer={flow} turnKey={key} {...parts} />}
      {fields.length > 0 && <FieldCards fields={fields} turnKey={key} isReverted={isReverted} {...parts} />}
      {components.map((component) => (
        <ComponentCard key={component.className} component={component} {...parts} />
      ))}
      {files.map((file) => (
        <FileCard key={file.path} file={file} />
      ))}
      {failure && (
        <Callout tone={turn.status === 'cancelled' ? 'neutral' : 'bad'} icon={<CircleAlert size={16} />}>
          <p>{failure.message}</p>
          {failure.detail && <p className="mt-1">{failure.detail}</p>}
        </Callout>
      )}
    </div>
  );
}

function CheckNote({ check }: Pick<TurnView, 'check'>) {
  if (check === undefined || check.problems.length === 0) return null;
  const isBad = check.errors > 0;
  return (
    <Callout tone={isBad ? 'warn' : 'neutral'} icon={isBad ? <TriangleAlert size={16} /> : <Info size={16} />}>
      <p>{isBad ? 'The check found errors:' : 'No errors. The check suggests:'}</p>
      <ul className="mt-1 list-disc pl-4">
        {check.problems.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Callout>
  );
}

function Working({ turn: { label, activity, status } }: { turn: TurnView }) {
  return (
    <p className="flex min-w-0 items-center gap-2 text-soft">
      <Spinner className="size-3.5" />
      <span>{status === 'sending' ? 'Sending…' : label === '' ? 'Reading your message…' : label}</span>
      {activity !== undefined && <span className="truncate text-xs">{activity}</span>}
    </p>
  );
}

const TASK_ICONS = {
  add_component: Plus,
  remove_component: Trash2,
  connect: Link2,
  disconnect: Link2Off,
  configure: Settings,
} as const;

/** The changes of the canvas, in their order. */
function BuildTasks({ tasks, titleOf }: { tasks: readonly BuildTask[]; titleOf: (id: string) => string }) {
  if (tasks.length === 0) return null;
  return (
    <ul aria-label="Changes of the canvas" className="divide-y divide-line rounded-md border border-line bg-surface">
      {tasks.map((task) => {
        const { key, action } = task;
        const Icon = TASK_ICONS[action];
        return (
          <li key={key} className="flex items-center gap-2 px-2.5 py-1.5">
            <Icon size={14} aria-hidden="true" className="shrink-0 text-soft" />
            <span className="min-w-0 grow [overflow-wrap:anywhere]">{taskText(task, titleOf)}</span>
            <Check size={15} aria-label="done" className="shrink-0 text-accent" />
          </li>
        );
      })}
    </ul>
  );
}

const RUN_TEXT: Readonly<Record<string, string>> = {
  running: 'Running the flow…',
  waiting: 'The run waits for you',
  completed: 'Run completed',
};

/** A run that the turn started, with its cost. The canvas shows the same run. Its result is here unless the reply has it. */
function RunLine({
  run: { status, text, durationSeconds, tokens },
  isRepeated,
}: {
  run: TurnRun;
  /** The reply has the result. */
  isRepeated: boolean;
}) {
  return (
    <div className="rounded-md border border-line bg-surface px-2.5 py-1.5">
      <p className="flex flex-wrap items-center gap-x-2">
        {status === 'running' ? (
          <Spinner className="size-3.5" />
        ) : (
          <Play size={14} aria-hidden="true" className="text-soft" />
        )}
        <span className="font-medium">{RUN_TEXT[status] ?? `The run ended: ${status}`}</span>
        <span className="text-xs text-soft">{runCostText(durationSeconds, tokens)}</span>
      </p>
      {text !== '' && !isRepeated && (
        <p
          className="mt-1 max-h-40 overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-wrap"
          tabIndex={0}
          role="group"
          aria-label="Result of the run"
        >
          {text}
        </p>
      )}
    </div>
  );
}
