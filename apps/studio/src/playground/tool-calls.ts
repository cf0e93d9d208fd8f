/** A call of a tool by a model, or another line of a component's log. */
export type Step =
  | {
      readonly kind: 'call';
      readonly node: string;
      readonly tool: string;
      readonly input: string;
      readonly status: 'running' | 'answered' | 'failed';
      readonly output?: string;
    }
  | { readonly kind: 'line'; readonly node: string; readonly text: string };

const MAX_STEPS = 200;
// As components that ask a model log them. Names of tools have no spaces.
const CALLED = /^Calls (\S+) with ([\s\S]*)$/;
const ENDED = /^(\S+) (answered|failed): ([\s\S]*)$/;

/** Adds a line of a component's log. A result belongs to the earliest open call of the tool. */
export function addLine(steps: readonly Step[], node: string, text: string): readonly Step[] {
  const [, called, input] = CALLED.exec(text) ?? [];
  if (called !== undefined && input !== undefined)
    return bounded([...steps, { kind: 'call', node, tool: called, input, status: 'running' }]);
  const [, ended, status, output] = ENDED.exec(text) ?? [];
  const at = steps.findIndex(
    (step) => step.kind === 'call' && step.status === 'running' && step.node === node && step.tool === ended,
  );
  const open = steps[at];
  if (open?.kind !== 'call' || output === undefined) return bounded([...steps, { kind: 'line', node, text }]);
  return steps.with(at, { ...open, status: status === 'failed' ? 'failed' : 'answered', output });
}

const bounded = (steps: readonly Step[]) => steps.slice(-MAX_STEPS);

/** JSON on several lines; other text as it is. */
export function spread(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
