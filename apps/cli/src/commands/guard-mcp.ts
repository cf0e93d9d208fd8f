import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { createDecisionLog, openMcpDoor, startLines, violationLine } from '@croft/guard';
import { croftBaseDir, errnoOf, osReason } from '@croft/workspace';
import { type GuardFlags, guardRoot, offNotice, openGuard, readGuardConfig } from '../compose/guard.ts';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

/** Flags of `croft guard mcp`. */
export interface GuardMcpFlags extends GuardFlags {
  readonly agent?: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs an MCP server behind the guard, on this process's own streams, and ends as it ends. Relative paths of a call are meant
 * from the server's working directory; where that would be outside the project, the server is started in the project.
 *
 * @throws UsageError for a configuration that cannot be used, and a server that cannot be started
 */
export async function runGuardMcp(command: readonly string[], flags: GuardMcpFlags): Promise<void> {
  const [program = '', ...args] = command;
  const config = readGuardConfig(flags, process.cwd(), process.env);
  const root = guardRoot(flags, false, process.cwd());
  const cwd = root === undefined || isBelow(process.cwd(), root) ? process.cwd() : root;
  // The server runs here, whatever a policy says of the agent.
  const { judge, policy } = openGuard({ ...config.policy, remote: false }, root, { agent: flags.agent }, cwd);
  const dir = join(croftBaseDir(), 'guard');
  const log = createDecisionLog({
    dir,
    onError: (error) => say(`croft: decisions cannot be kept in ${dir} (${osReason(error)})`),
  });
  announce(config, policy.enabled, root, cwd);
  const door = openMcpDoor({
    command: program,
    args,
    cwd,
    input: process.stdin,
    output: process.stdout,
    mode: policy.enabled ? policy.mode : 'off',
    judge: (call) => judge.judge(call),
    onDecision(decision, tool, caller) {
      const agent = flags.agent ?? caller;
      log.record(decision, { tool, wire: 'mcp', agent, mode: policy.mode, root });
      if (decision.decision === 'block')
        say(`${violationLine(tool)}${policy.mode === 'dry-run' ? ' (dry run: it passed)' : ''}`);
    },
  });
  const pass = (signal: NodeJS.Signals): void => door.signal(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  // Without the guard the server must not go on.
  process.on('exit', () => door.signal('SIGKILL'));
  try {
    const { code, signal } = await door.ended;
    log.close();
    judge.close();
    await flushed();
    for (const one of SIGNALS) process.off(one, pass);
    if (signal !== null) process.kill(process.pid, signal);
    process.exit(code ?? 1);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    throw new UsageError(`${program} cannot be started: ${osReason(error)}`);
  }
}

function announce(config: Parameters<typeof offNotice>[0], isOn: boolean, root: string | undefined, cwd: string): void {
  const notice = offNotice(config);
  if (!isOn) return say(`croft: ${notice ?? 'the guard is off for this agent: every call passes'}`);
  for (const line of startLines(root)) say(line);
  if (root === undefined) say('croft: no project directory here: give --root, or no tool call will pass');
  else if (cwd !== process.cwd())
    say(`croft: the server is started in ${root}, as ${process.cwd()} lies outside of it`);
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
