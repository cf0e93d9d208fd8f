import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import type { Decision } from '../decision.ts';
import { type OpenJudge, openJudge } from '../judge/open-judge.ts';
import type { GuardConfig } from '../policy/find-config.ts';
import type { Policy } from '../policy/policy.ts';
import type { ConfiguredPolicy } from '../policy/policy-for.ts';
import { createProjectPolicies } from '../policy/project-policies.ts';
import type { GuardedRequest, RequestJudge } from './guarded-request.ts';
import { ROOT_HEADER } from './upstream.ts';

/** The project root for requests that carry a certain key. */
export interface KeyRoot {
  /** The first hexadecimal digits of the key's SHA-256. */
  readonly digest: string;
  readonly root: string;
}

/** The sources of a request's project root. */
export interface RootSources {
  /** For requests that do not name another root. */
  readonly root: string | undefined;
  readonly keyRoots: readonly KeyRoot[];
  /** A request may name a project below this directory in the header X-Croft-Root. */
  readonly rootsBelow: string | undefined;
}

/** The judge for a request, with its policy, project, agent and model. */
export interface JudgedSubject {
  readonly judge: RequestJudge;
  readonly policy: Policy;
  readonly root: string | undefined;
  readonly agent: string | undefined;
  model(): string | undefined;
}

/** The judges of a proxy: one for each project, agent and model. Cached, because opening one reads the disk. */
export interface RequestJudges {
  for(request: GuardedRequest): JudgedSubject;
  close(): void;
}

const MAX_KEPT = 64;

interface Kept extends OpenJudge {
  readonly by: ConfiguredPolicy;
  readonly root: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

/** Key of the judge on the request itself: a WeakMap would keep its values alive through every minor garbage collection. */
const SUBJECT = Symbol('subject');
type Remembering = GuardedRequest & { [SUBJECT]?: JudgedSubject };

/**
 * Creates the judges of a proxy.
 *
 * @param onNotice called for each setting of a project's own file that has no effect
 * @param turn see {@link createProjectPolicies}
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
  ): OpenJudge => {
    // Most requests come from the same agent as the one before.
    if (last?.by === by && last.root === root && last.agent === agent && last.model === model) return last;
    last = undefined;
    const id = JSON.stringify([root, agent, model]);
    const known = kept.get(id);
    kept.delete(id);
    const isSame = known?.by === by;
    if (!isSame) known?.judge.close();
    const guard = isSame ? known : { ...openJudge(by, root, { agent, model }), by, root, agent, model };
    kept.set(id, guard);
    last = guard;
    for (const [oldest, one] of kept) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
      one.judge.close();
    }
    return guard;
  };
  // The model is in the request's body, which may have megabytes: read it only if a setting depends on it.
  const needsModel = config.policy.overrides.some(({ scope }) => scope === 'model');
  const subjectOf = (request: GuardedRequest): JudgedSubject => {
    const root = rootOf(request, sources);
    const agent = agentOf(request);
    const model = needsModel ? request.model() : undefined;
    const { policy: by, problem } = policies.for(root);
    const found = open(by, root, agent, model).policy;
    // An unusable project file blocks every call, also if the guard is otherwise off.
    const own: Policy = problem === undefined ? found : { ...found, enabled: true, mode: 'enforce' };
    return {
      judge: {
        // Reopens the judge if it was evicted meanwhile: a reply may take minutes.
        judge: (call) => (problem === undefined ? open(by, root, agent, model).judge.judge(call) : unusable(problem)),
        enforce: own.mode === 'enforce',
      },
      policy: own,
      root,
      agent,
      // Not a getter: V8 makes a hidden class for each object with a getter, and keeps it until the next full garbage
      // collection, with everything that the getter can reach: the exchange, its sockets and its body.
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

/** The root of the key, else the one in the header, else the guard's. A header with a forbidden path gives no root. */
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
