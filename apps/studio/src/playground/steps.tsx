import { Check, CircleAlert, Wrench } from 'lucide-react';
import { Spinner } from '../ui/spinner.tsx';
import { type Step, spread } from './tool-calls.ts';

/** Calls of tools and other news of components, in their order. A call unfolds to its input and result. */
export function Steps({ steps, titleOf }: { steps: readonly Step[]; titleOf: (node: string) => string }) {
  if (steps.length === 0) return null;
  return (
    <ol aria-label="Steps" className="grid grid-cols-1 gap-1.5">
      {steps.map((step, at) => (
        <li key={at} className="min-w-0">
          {step.kind === 'line' ? (
            <p className="text-sm text-soft [overflow-wrap:anywhere]">
              {titleOf(step.node)}: {step.text}
            </p>
          ) : (
            <Call step={step} />
          )}
        </li>
      ))}
    </ol>
  );
}

const WORDS = { running: 'runs', answered: 'done', failed: 'failed' } as const;

function Call({ step: { tool, input, status, output } }: { step: Extract<Step, { kind: 'call' }> }) {
  return (
    <details className="rounded-md border border-line bg-surface">
      <summary className="flex min-h-9 items-center gap-2 rounded-md px-3 text-sm">
        <Wrench size={14} aria-hidden="true" className="shrink-0 text-soft" />
        <code className="min-w-0 truncate font-mono">{tool}</code>
        <span className={status === 'failed' ? 'text-bad' : 'text-soft'}>{WORDS[status]}</span>
        <span className="ml-auto shrink-0">
          {status === 'running' ? (
            <Spinner className="size-3.5" />
          ) : status === 'failed' ? (
            <CircleAlert size={15} aria-hidden="true" className="text-bad" />
          ) : (
            <Check size={15} aria-hidden="true" className="text-accent" />
          )}
        </span>
      </summary>
      <div className="grid grid-cols-1 gap-2 border-t border-line px-3 py-2.5 text-sm">
        <Part label={`Input of ${tool}`} title="Input" text={spread(input)} />
        {output !== undefined && <Part label={`Result of ${tool}`} title="Result" text={spread(output)} />}
      </div>
    </details>
  );
}

function Part({ label, title, text }: { label: string; title: string; text: string }) {
  return (
    <div className="grid grid-cols-1 gap-1">
      <span className="text-xs text-soft">{title}</span>
      <pre
        role="region"
        tabIndex={0}
        aria-label={label}
        className="max-h-60 overflow-auto rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text === '' ? '(empty)' : text}
      </pre>
    </div>
  );
}
