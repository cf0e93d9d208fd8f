import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import {
  type ConfiguredPolicy,
  type Decision,
  type GuardedRequest,
  type Policy,
  type RequestJudge,
  ROOT_HEADER,
} from '@croft/guard';
import { type GuardConfig, type OpenGuard, openGuard } from './guard.ts';
import { createProjectPolicies } from './project-policies.ts';

/** A directory for requests that carry a certain key. */
export interface KeyRoot {
  /** The first hexadecimal digits of the key's SHA-256. */
  readonly digest: string;
  readonly root: string;
}

/** Where the project of a request is taken from. */
export interface RootSources {
  /** For every request that names no other. */
  readonly root: string | undefined;
  readonly keyRoots: readonly KeyRoot[];
  /** A request may name its project in the header X-Croft-Root, if it lies below this directory. */
  readonly rootsBelow: string | undefined;
}

/** What is judged by, and for whom. */
export interface JudgedSubject {
  readonly judge: RequestJudge;
  readonly policy: Policy;
  readonly root: string | undefined;
  readonly agent: string | undefined;
  model(): string | undefined;
}

/** The judges of a proxy, one for each project, agent and model; kept, as opening one costs a look at the disk. */
export interface RequestJudges {
  for(request: GuardedRequest): JudgedSubject;
  close(): void;
}

const MAX_KEPT = 64;

interface Kept extends OpenGuard {
  readonly by: ConfiguredPolicy;
  readonly root: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

/** Kept on the request itself: a WeakMap holds its values through every collection of young objects. */
const SUBJECT = Symbol('subject');
type Remembering = GuardedRequest & { [SUBJECT]?: JudgedSubject };

/**
 * @param onNotice told what a project's own file says and is not obeyed
 * @param turn as {@link createProjectPolicies} takes it
 */
export function createRequestJudges(
  config: GuardConfig,
  sources: RootSources,
  onNotice: (notice: string) => void,
  turn?: () => number,
): RequestJudges {
  const policies = createProjectPolicies(config, onNotice, turn);
  const kept = new Map<string, Kept>();
  let last: Kept | undefined;
  const open = (
    by: ConfiguredPolicy,
    root: string | undefined,
    agent: string | undefined,
    model: string | undefined,
  ): OpenGuard => {
    // Most requests are of the agent that asked last, whose guard is the newest one already.
    if (last?.by === by && last.root === root && last.agent === agent && last.model === model) return last;
    last = undefined;
    const id = JSON.stringify([root, agent, model]);
    const known = kept.get(id);
    kept.delete(id);
    const isSame = known?.by === by;
    if (!isSame) known?.judge.close();
    const guard = isSame ? known : { ...openGuard(by, root, { agent, model }), by, root, agent, model };
    kept.set(id, guard);
    last = guard;
    for (const [oldest, one] of kept) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
      one.judge.close();
    }
    return guard;
  };
  // Which model is asked stands in the request's body, megabytes of it: it is read only where something depends on it.
  const needsModel = config.policy.overrides.some(({ scope }) => scope === 'model');
  const subjectOf = (request: GuardedRequest): JudgedSubject => {
    const root = rootOf(request, sources);
    const agent = agentOf(request);
    const model = needsModel ? request.model() : undefined;
    const { policy: by, problem } = policies.for(root);
    const found = open(by, root, agent, model).policy;
    // A file that cannot be read may say so: nothing passes, whatever the rest says.
    const own: Policy = problem === undefined ? found : { ...found, enabled: true, mode: 'enforce' };
    return {
      judge: {
        // Opened anew when it was closed for others meanwhile: a reply may take minutes.
        judge: (call) => (problem === undefined ? open(by, root, agent, model).judge.judge(call) : unusable(problem)),
        enforce: own.mode === 'enforce',
      },
      policy: own,
      root,
      agent,
      // No getter: V8 makes a shape for each object that has one, and keeps it, with all its function can reach, until
      // the next full collection: every exchange, its sockets' objects and its body.
      model: () => request.model(),
    };
  };
  return {
    for(request: Remembering) {
      request[SUBJECT] ??= subjectOf(request);
      return request[SUBJECT];
    },
    close() {
      for (const { judge } of kept.values()) judge.close();
      kept.clear();
      last = undefined;
    },
  };
}

function unusable(problem: string): Decision {
  const reason = `The project's own policy cannot be used, so no tool call passes: ${problem}`;
  return { decision: 'block', rule: 'failure', reason, paths: [], accepted: '' };
}

/** The key's own project, else the one in the header, else that of the guard. A header that may not be followed is no root. */
function rootOf(request: GuardedRequest, { root, keyRoots, rootsBelow }: RootSources): string | undefined {
  if (keyRoots.length > 0) {
    const key = keyOf(request);
    const digest = key === undefined ? undefined : createHash('sha256').update(key).digest('hex');
    const found = digest && keyRoots.find((one) => digest.startsWith(one.digest));
    if (found) return found.root;
  }
  const named = request.header(ROOT_HEADER);
  if (named === undefined || rootsBelow === undefined) return root;
  return directoryBelow(named, rootsBelow);
}

function keyOf(request: GuardedRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
  return bearer ?? request.header('x-api-key') ?? request.header('x-goog-api-key') ?? request.header('api-key');
}

function directoryBelow(named: string, parent: string): string | undefined {
  if (!isAbsolute(named)) return undefined;
  try {
    const real = realpathSync(named);
    return real.startsWith(parent + sep) && statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** The first word of the User-Agent, such as `claude-cli`. */
function agentOf(request: GuardedRequest): string | undefined {
  return /^[\w.@-]+/.exec(request.header('user-agent') ?? '')?.[0].slice(0, 64);
}
