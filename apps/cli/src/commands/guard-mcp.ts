import { realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import {
  createDecisionLog,
  type Decision,
  type DecisionLog,
  type McpAdapter,
  type McpAdapterEnd,
  type McpHttpAdapter,
  type ObservedCall,
  offNotice,
  openJudge,
  openMcpAdapter,
  openMcpHttpAdapter,
  type Policy,
  startLines,
  violationLine,
} from '@croft/guard';
import { croftBaseDir, errnoOf, osReason } from '@croft/workspace';
import { type GuardFlags, guardRoot, readGuardConfig } from '../compose/guard.ts';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

/** Flags of `croft guard mcp`. */
export interface GuardMcpFlags extends GuardFlags {
  readonly agent?: string;
  /** A server behind HTTP, instead of a command. */
  readonly url?: string;
  readonly header: readonly string[];
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs an MCP server behind the guard on this process's standard streams, and ends with its exit code; or connects to one over
 * HTTP. Relative paths of a call start at the server's working directory. If that is outside the project, the server is
 * started in the project root instead.
 *
 * @throws UsageError for an invalid configuration, and for a server that cannot be started
 */
export async function runGuardMcp(command: readonly string[], flags: GuardMcpFlags): Promise<void> {
  const url = flags.url === undefined ? undefined : parseUrl(flags.url);
  if (command.length > 0 === (url !== undefined))
    throw new UsageError('Give the command of the server after --, or --url');
  if (url === undefined && flags.header.length > 0) throw new UsageError('--header is for --url');
  const headers = parseHeaders(flags.header, process.env);
  const config = readGuardConfig(flags, process.cwd(), process.env);
  const root = guardRoot(flags, false, process.cwd());
  const cwd = root === undefined || isBelow(process.cwd(), root) ? process.cwd() : root;
  // A server that is started here uses this machine's files, also if the policy says that the agent is remote.
  const base = url === undefined ? { ...config.policy, remote: false } : config.policy;
  const { judge, policy } = openJudge(base, root, { agent: flags.agent }, url === undefined ? cwd : undefined);
  const dir = join(croftBaseDir(), 'guard');
  const log = createDecisionLog({
    dir,
    onError: (error) => say(`croft: decisions cannot be kept in ${dir} (${osReason(error)})`),
  });
  announce(config, policy, root, url === undefined ? cwd : process.cwd());
  if (policy.enabled && root !== undefined)
    for (const outside of command.slice(1).filter((each) => isDirectoryOutside(resolve(cwd, each), root)))
      say(
        `croft: ${outside} is outside of ${root}. The guard reads relative paths from ${cwd}: if the server reads them from ${outside}, calls with them can write there`,
      );
  const shared = {
    input: process.stdin,
    output: process.stdout,
    mode: policy.enabled ? policy.mode : 'off',
    judge: (call: ObservedCall) => judge.judge(call),
    onDecision(decision: Decision, tool: string, caller: string | undefined, isDropped?: boolean) {
      const agent = flags.agent ?? caller;
      const mode = isDropped ? 'enforce' : policy.mode;
      log.record(decision, { tool, wire: 'mcp', agent, mode, root });
      if (decision.decision === 'block')
        say(`${violationLine(tool, decision, agent)}${mode === 'dry-run' ? ' (dry run: it passed)' : ''}`);
    },
  } as const;
  const end = async (): Promise<void> => {
    log.close();
    judge.close();
    await flushed();
  };
  if (url !== undefined) {
    await reach(
      openMcpHttpAdapter({ ...shared, url, headers, onError: ({ message }) => say(`croft: ${message}`) }),
      log,
    );
    await end();
    process.exit(0);
  }
  const [program = '', ...args] = command;
  const { code, signal } = await stand(openMcpAdapter({ ...shared, command: program, args, cwd }), program);
  await end();
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(code ?? 1);
}

/** Waits for the end of the server. Forwards signals to it, and kills it when the guard exits. */
async function stand(adapter: McpAdapter, program: string): Promise<McpAdapterEnd> {
  const pass = (signal: NodeJS.Signals): void => adapter.signal(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  process.on('exit', () => adapter.signal('SIGKILL'));
  try {
    return await adapter.ended;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    throw new UsageError(`${program} cannot be started: ${osReason(error)}`);
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}

async function reach(adapter: McpHttpAdapter, log: DecisionLog): Promise<void> {
  for (const signal of SIGNALS)
    process.once(signal, () => {
      adapter.close();
      log.close();
      process.kill(process.pid, signal);
    });
  await adapter.ended;
}

function parseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`--url ${text}: give the URL of an MCP server, such as http://127.0.0.1:7860/mcp`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new UsageError('--url: only http and https');
  if (url.username || url.password) throw new UsageError('--url: without a name and a password; give a --header');
  return url;
}

/** Parses `Name: value`. `${NAME}` comes from the environment, because every user can see a command line. */
function parseHeaders(lines: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const headers = new Headers();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new UsageError('--header: give "Name: value"');
    const full = value.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
      const found = env[variable];
      if (found === undefined) throw new UsageError(`--header ${name}: ${variable} is not set in the environment`);
      return found;
    });
    try {
      headers.append(name, full);
    } catch {
      throw new UsageError(`--header ${name}: the value is not valid in a header`);
    }
  }
  return Object.fromEntries(headers);
}

function announce(
  config: Parameters<typeof offNotice>[0],
  { enabled, mode }: Pick<Policy, 'enabled' | 'mode'>,
  root: string | undefined,
  cwd: string,
): void {
  const notice = offNotice(config);
  if (!enabled) return say(`croft: ${notice ?? 'the guard is off for this agent: every call passes'}`);
  if (mode === 'dry-run')
    say(
      'croft: dry run: every call passes, except in messages of more than 32 MiB; what would be blocked is only recorded',
    );
  for (const line of startLines(root, true)) say(line);
  if (root === undefined) say('croft: no project directory here: give --root, or no tool call will pass');
  else if (cwd !== process.cwd()) say(`croft: the server starts in ${root}, because ${process.cwd()} is outside of it`);
}

function isDirectoryOutside(path: string, root: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && !isBelow(path, root);
}

function isBelow(path: string, root: string): boolean {
  try {
    const [below, above] = [realpathSync.native(path), realpathSync.native(root)];
    return below === above || below.startsWith(above.endsWith(sep) ? above : above + sep);
  } catch {
    return false;
  }
}

function flushed(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => resolve());
    process.stdout.once('error', () => resolve());
  });
}

function say(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
