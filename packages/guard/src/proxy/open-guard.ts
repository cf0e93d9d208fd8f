import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuleName } from '../decision.ts';
import {
  answerDecisions,
  createDecisionRoutes,
  type DecisionRouteParts,
  type GuardFacts,
  guardHealth,
} from '../decisions/decision-routes.ts';
import { createDecisionLog, type DecisionLog } from '../decisions/decisions.ts';
import { violationLine } from '../decisions/violation.ts';
import { openPlace } from '../judge/place.ts';
import type { GuardConfig } from '../policy/find-config.ts';
import type { Policy } from '../policy/policy.ts';
import { policyFor } from '../policy/policy-for.ts';
import { thisTurn } from './end-of-turn.ts';
import type { DecisionEvent } from './exchange.ts';
import type { GuardedRequest } from './guarded-request.ts';
import { createGuardProxy, type RefusedRequest } from './proxy.ts';
import { createRequestJudges, type RequestJudges, type RootSources } from './request-judges.ts';
import type { Upstream } from './upstream.ts';

/** A call that the guard blocked, or would have blocked in a dry run. */
export interface BlockedCall {
  /** The line that llm-interactive-proxy logs, with the path, the rule and the agent. */
  readonly line: string;
  readonly tool: string;
  readonly rule: RuleName;
  /** False in a dry run: the call passed. */
  readonly blocked: boolean;
}

/** How to open a guard between agents and models. */
export interface GuardOptions extends RootSources, Pick<DecisionRouteParts, 'keys' | 'version'> {
  readonly config: GuardConfig;
  readonly upstreams: readonly Upstream[];
  /** See `createGuardProxy`. */
  readonly passPaths?: readonly RegExp[];
  /** Host names of the guard; defaults to the loopback names. */
  readonly hostnames?: readonly string[];
  /** Decisions are stored below it. */
  readonly baseDir: string;
  /**
   * The proxy answers `/guard…` and `/healthz` itself. Without it, requests for the page of decisions go to `answerPage`:
   * a server that checks its own sign-in first.
   */
  readonly servesPage: boolean;
  /** Called once for each call of a request, although the model may repeat it in further attempts. */
  readonly onBlocked: (call: BlockedCall) => void;
  /** Called for a setting without effect in the file of a project that a request chose, once for each. */
  readonly onNotice: (notice: string) => void;
  /** Called when an upstream cannot be reached, at most once a minute for each, because agents retry. */
  readonly onUnreachable: (upstream: Upstream, error: NodeJS.ErrnoException) => void;
  /** Called for a refused request that `passPaths` could let pass, once for each path. */
  readonly onRefused: (request: RefusedRequest) => void;
  /** Called once when decisions cannot be stored. */
  readonly onLogError: (error: unknown) => void;
}

/** An open guard. Call `close` after the last request. */
export interface OpenGuard {
  /** Not listening yet. */
  readonly server: Server;
  /** The policy of the guard's own project at the start. */
  readonly policy: Policy;
  /** Answers a request for the page of decisions and its data. Returns false for every other path. */
  answerPage(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

const UNREACHABLE_EVERY_MS = 60_000;
const MAX_REFUSED_PATHS = 100;

/**
 * Opens the guard's proxy with judges for each project, agent and model, the log of decisions and their page. `croft guard
 * serve` and the guard inside `croft serve` are this function with different callers.
 *
 * @throws WorkspaceError if the root cannot be opened
 */
export function openGuard(options: GuardOptions): OpenGuard {
  const { config, root, baseDir, hostnames, keys, version, onUnreachable } = options;
  const told = new Set(config.notices);
  const onNotice = (notice: string): void => {
    if (!told.has(notice)) options.onNotice(notice);
  };
  const judges = createRequestJudges(config, options, onNotice, thisTurn);
  const log = createDecisionLog({ dir: join(baseDir, 'guard'), onError: options.onLogError });
  const policy = policyFor(config.policy, { project: root });
  const { enabled, mode, strict, protect, denyRead } = policy;
  const writable = writableIn(policy, root);
  const facts = () => ({ enabled, mode, strict, protect, denyRead, ...writable });
  const routes = createDecisionRoutes({ log, keys, version, facts, ...(hostnames && { hostnames }) });
  const answerPage = (request: IncomingMessage, response: ServerResponse) => answerDecisions(routes, request, response);
  const isDue = oncePerUpstream();
  const server = createGuardProxy({
    upstreams: options.upstreams,
    ...(options.passPaths && { passPaths: options.passPaths }),
    ...(hostnames && { hostnames }),
    ...(options.servesPage && { own: answerPage, health: () => guardHealth({ log, facts, version }) }),
    judgeFor: (request) => {
      const subject = judges.for(request);
      return subject.policy.enabled ? subject.judge : undefined;
    },
    onDecision: recorder(log, judges, options.onBlocked),
    onRefused: oncePerPath(options.onRefused),
    onUnreachable: (upstream, error) => {
      log.unreachable();
      if (isDue(upstream)) onUnreachable(upstream, error);
    },
  });
  return {
    server,
    policy,
    answerPage,
    close() {
      server.close();
      server.closeAllConnections();
      judges.close();
      log.close();
    },
  };
}

/**
 * The places where calls for the guard's own project may write, as the judge sees them at the start.
 *
 * @throws WorkspaceError if the root cannot be opened
 */
function writableIn(policy: Policy, root: string | undefined): Pick<GuardFacts, 'roots' | 'newTemporary'> {
  const place = openPlace(policy, root);
  try {
    const { roots } = place;
    return { roots, newTemporary: place.locate(join(tmpdir(), randomBytes(12).toString('hex'))).kind === 'inside' };
  } finally {
    place.close();
  }
}

/** Records every decision. Reports a blocked call once, although the model may repeat it in further attempts. */
function recorder(
  log: DecisionLog,
  judges: RequestJudges,
  onBlocked: GuardOptions['onBlocked'],
): (event: DecisionEvent) => void {
  const reported = new WeakMap<GuardedRequest, Map<string, number>>();
  return ({ request, call, decision, blocked, attempt }) => {
    const { agent, model, root, policy } = judges.for(request);
    const tool = call?.name ?? '(too large to read)';
    log.record(decision, { tool, wire: request.wire, agent, model: model(), mode: policy.mode, root });
    if (decision.decision !== 'block') return;
    const line = violationLine(tool, decision, agent);
    const lines = reported.get(request) ?? new Map<string, number>();
    reported.set(request, lines);
    if ((lines.get(line) ?? attempt) < attempt) return;
    lines.set(line, attempt);
    onBlocked({ line, tool, rule: decision.rule, blocked });
  };
}

function oncePerUpstream(): (upstream: Upstream) => boolean {
  const reported = new Map<string, number>();
  return ({ url }) => {
    const last = reported.get(url.href);
    const now = performance.now();
    if (last !== undefined && now - last < UNREACHABLE_EVERY_MS) return false;
    reported.set(url.href, now);
    return true;
  };
}

/** Paths are remembered up to a limit, because programs choose them; later ones are not reported. */
function oncePerPath(report: GuardOptions['onRefused']): GuardOptions['onRefused'] {
  const reported = new Set<string>();
  return (request) => {
    if (reported.size >= MAX_REFUSED_PATHS || reported.has(request.path)) return;
    reported.add(request.path);
    report(request);
  };
}
