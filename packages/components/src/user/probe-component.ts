import { readComponent, type ReadOptions } from './read-component.ts';
import type { CodeProblem, ReadOutcome, RowLimits } from './sandbox/messages.ts';
import { ROW_LIMITS, SandboxSession } from './sandbox-session.ts';

const PROBE_LIMITS: RowLimits = { ...ROW_LIMITS, timeMs: 2_000 };

/**
 * Reads the source of a component, and tries it: loads its module and makes one component, in the sandbox. Calls no method.
 * Call it where a person saves code or an assistant writes it, and nowhere else.
 */
export async function probeComponent(source: string, options: ReadOptions = {}): Promise<ReadOutcome> {
  const read = await readComponent(source, options);
  if (!read.ok) return read;
  const session = new SandboxSession(read.component, { limits: PROBE_LIMITS, user: options.user });
  try {
    const outcome = await session.run('{}', [], options.signal);
    if (outcome.ok) return read;
    const problem: CodeProblem = { kind: 'failed', line: outcome.line, column: 0, message: outcome.message };
    return { ok: false, problems: [problem] };
  } finally {
    session.close();
  }
}
