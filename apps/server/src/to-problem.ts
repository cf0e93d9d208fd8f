import { FlowError } from '@croft/flow';
import { WorkspaceError } from '@croft/workspace';
import { PROBLEM_STATUS } from './contract/problem-codes.ts';
import { plainWords } from './files/plain-words.ts';
import { hostFailure } from './host-failure.ts';
import { Problem } from './problem.ts';
import { StoreError } from './store/store-error.ts';

const RETRY_SOON = { 'Retry-After': '5' };

/** The problem that the API returns for an error; `undefined` for an error that callers must not learn about. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof StoreError && error.code === 'last_admin') return new Problem(409, error.code, error.message);
  const failure = hostFailure(error);
  if (failure === 'disk_full')
    return new Problem(507, failure, 'The disk of the server is full. Ask its operator to free space.', {}, error);
  if (failure === 'database_down')
    return new Problem(503, failure, 'The database does not answer. Try again in a moment.', RETRY_SOON, error);
  if (isUnstorable(error)) return new Problem(400, 'invalid', 'Leave out the NUL character.');
  if (error instanceof FlowError) return flowProblem(error);
  if (!(error instanceof WorkspaceError)) return undefined;
  const code = error.code === 'quota' ? 'quota_exceeded' : error.code;
  return new Problem(PROBLEM_STATUS[code], code, plainWords(error.message));
}

/** A refused document or edit. Its message names the node and field, and may be shown. */
function flowProblem({ code, message }: FlowError): Problem {
  if (code === 'too_large' || code === 'newer_version') return new Problem(PROBLEM_STATUS[code], code, message);
  return new Problem(400, 'invalid', message);
}

/** The same asynchronous functions; they throw the problem of an error if {@link toProblem} knows one. */
export function throwProblems<T extends object>(functions: T): T {
  return new Proxy(functions, {
    get(target, name) {
      const run: unknown = Reflect.get(target, name);
      if (typeof run !== 'function') return run;
      return async (...args: unknown[]) => {
        try {
          return await (run.apply(target, args) as Promise<unknown>);
        } catch (error) {
          throw toProblem(error) ?? error;
        }
      };
    },
  });
}

/** PostgreSQL's code for text that no column can hold. Only NUL causes it, because all text is UTF-8 by then. */
function isUnstorable(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return code === '22021' || cause?.code === '22021';
}
