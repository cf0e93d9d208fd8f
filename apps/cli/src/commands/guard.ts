import { type Command, InvalidArgumentError, Option } from 'commander';
import { collectValues } from './collect-values.ts';
import type { CheckFlags } from './guard-check.ts';
import type { HookFlags } from './guard-hook.ts';
import type { GuardLogFlags } from './guard-log.ts';
import type { GuardMcpFlags } from './guard-mcp.ts';
import type { GuardOpenFlags } from './guard-open.ts';
import type { GuardServeFlags } from './guard-serve.ts';

/** Repeated here, because importing the guard's package would slow down every help text. */
const AGENT_NAMES = ['claude-code', 'codex', 'cursor', 'gemini-cli', 'opencode', 'qwen-code'];

const AGENTS = `
Supported agents and events:
  Claude Code  PreToolUse
  Codex        PreToolUse (for shell commands, patches and MCP calls)
  Gemini CLI   BeforeTool
  Qwen Code    PreToolUse (with --agent qwen-code)
  Cursor       preToolUse, beforeShellExecution, beforeMCPExecution, beforeReadFile
  opencode     tool.execute.before, from the plugin that croft setup guard writes

croft setup guard writes the hook of each of them. Codex skips a hook until you trust it: start codex, enter /hooks.

The hook answers a blocked call in the agent's own format; for an allowed call the agent may still ask its own question.
A broken configuration or an unknown event ends with code 2, which blocks the call in all agents. More: docs/guard.md`;

/** Adds `croft guard`, which judges tool calls of agents before they run. Each subcommand is loaded on demand. */
export function addGuardCommand(program: Command): void {
  const guard = program
    .command('guard')
    .summary("judge agents' tool calls before they run")
    .description(
      "Judges agents' tool calls before they run, and stops those that would change files outside the project.",
    );
  addServe(guard);
  addOpen(guard);
  addMcp(guard);
  addLog(guard);
  addGuardFlags(
    guard
      .command('check')
      .summary('explain the decision about a call')
      .description(
        'Reads tool calls from standard input as {"name": …, "arguments": …} (arguments: an object, or a string with their raw text) and prints for each whether the guard would allow it, and why. Ends with code 0 when all are allowed, 1 when one is blocked, 2 when the configuration or the input cannot be used.',
      ),
  )
    .option('--remote', 'the agent works on another machine: judge paths without this disk, for POSIX and Windows')
    .option('--dry-run', 'decide as with mode: dry-run, and say so on standard error')
    .option('--lines', 'read one call per line')
    .option('--json', 'print JSON on a terminal as well')
    .option('--reaction', 'print JSON as llm-interactive-proxy does: should_swallow, error_to_model, metadata')
    .option('--agent <name>', "judge as a call of this agent (for the policy's own overrides)")
    .option('--model <name>', "judge as a call of this model (for the policy's own overrides)")
    .action(async (flags: CheckFlags) => {
      const { runGuardCheck } = await import('./guard-check.ts');
      await runGuardCheck(flags);
    });
  addGuardFlags(
    guard
      .command('hook')
      .summary("answer an agent's hook before a tool call")
      .description(
        "Reads the JSON that an agent hands to a hook before it uses a tool, and answers in the agent's own format.",
      ),
  )
    .option('--dry-run', 'report the decision, but let every call pass')
    .addOption(
      new Option('--agent <name>', 'the agent that calls, if its messages do not name it').choices(AGENT_NAMES),
    )
    .addHelpText('after', AGENTS)
    .action(async (flags: HookFlags) => {
      try {
        const { runGuardHook } = await import('./guard-hook.ts');
        runGuardHook(flags);
      } catch {
        // Agents allow the call on every other exit code.
        process.stderr.write('croft guard: the hook failed, so the call is blocked\n');
        process.exitCode = 2;
      }
    });
}

function addLog(guard: Command): void {
  guard
    .command('log')
    .summary('show what the guard decided')
    .description(
      'Shows the decisions of all entry points of the guard, newest last. Times are local; with --json they are in UTC.',
    )
    .option('--follow', 'keep showing new decisions')
    .option('--blocked', 'only blocked calls, also those of dry runs')
    .option('--tool <name>', 'only calls of this tool')
    .option('--since <time>', 'only decisions since: 90s, 30m, 2h, 1d, or a local time')
    .option('--limit <n>', 'most decisions to show; 0 for all', parseCount, 50)
    .option('--json', 'print one JSON object per line')
    .action(async (flags: GuardLogFlags) => {
      const { runGuardLog } = await import('./guard-log.ts');
      await runGuardLog(flags);
    });
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a number.');
  return Number(text);
}

const BASE_URLS = `
Point an agent at the guard with its own base URL (the guard prints them when it starts):
  OpenAI SDKs             OPENAI_BASE_URL=http://127.0.0.1:7861/v1
  Codex                   openai_base_url = "http://127.0.0.1:7861/v1" in ~/.codex/config.toml (it ignores OPENAI_BASE_URL)
  Claude Code, Anthropic  ANTHROPIC_BASE_URL=http://127.0.0.1:7861
  Gemini CLI, Google      GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:7861

The guard forwards keys unchanged and never stores them. More: docs/guard.md`;

const MCP_SERVERS = `
In a client's configuration, put the guard before the command of the server:
  {"command": "croft", "args": ["guard", "mcp", "--root", "/home/you/project", "--", "npx", "-y", "some-mcp-server"]}

The model gets a blocked call as a tool error; the server does not get it. The guard does not trust the server's own
annotations, such as readOnlyHint. Relative paths start at the server's working directory. If that is outside the project, the
server starts in the project. The page of croft guard serve shows the decisions. More: docs/guard.md`;

function addMcp(guard: Command): void {
  addGuardFlags(
    guard
      .command('mcp')
      .summary('run an MCP server behind the guard')
      .usage('[options] -- <server command>\n       croft guard mcp [options] --url <url>')
      .description(
        'Starts an MCP server over stdio, or connects to one over HTTP, forwards messages in both directions, and judges every tools/call before the server gets it. Ends with the exit code of the server.',
      )
      .argument('[command...]', 'the command of the server, after --'),
  )
    .option('--url <url>', 'a server over Streamable HTTP, instead of a command')
    .option(
      '--header <line>',
      'sent to --url: "Name: value", with ${NAME} from the environment (repeatable)',
      collectValues,
      [],
    )
    .option('--dry-run', 'decide and record, but let every call pass')
    .option('--agent <name>', "judge as calls of this agent (for the policy's own overrides)")
    .addHelpText('after', MCP_SERVERS)
    .action(async (command: string[], flags: GuardMcpFlags) => {
      const { runGuardMcp } = await import('./guard-mcp.ts');
      await runGuardMcp(command, flags);
    });
}

function addServe(guard: Command): void {
  addGuardFlags(
    guard
      .command('serve')
      .summary("judge a model's replies between agents and the model")
      .description(
        'Listens for requests to a model, forwards them, and judges the tool calls in the replies before the agent gets them.',
      ),
  )
    .option(
      '--upstream <url>',
      'where to send requests, such as https://api.openai.com; with several: /prefix=URL or model:NAME=URL (repeatable)',
      collectValues,
      [],
    )
    .option('--port <number>', 'port to listen on; 0 for any free one', parsePort, 7861)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--dry-run', 'decide and record, but let every call pass')
    .option('--remote', 'the agent works on another machine: judge paths without this disk, for POSIX and Windows')
    .option(
      '--key-root <digest=dir>',
      "the project for requests whose key's SHA-256 starts with the digest (repeatable)",
      collectValues,
      [],
    )
    .option('--roots-below <dir>', 'let a request name its project in the header X-Croft-Root, below this directory')
    .option(
      '--allowed-host <name>',
      'a further host name of this machine, behind a reverse proxy (repeatable)',
      collectValues,
      [],
    )
    .option(
      '--pass <pattern>',
      'forward matching paths of the upstream without judging (repeatable)',
      collectValues,
      [],
    )
    .addHelpText('after', BASE_URLS)
    .action(async (flags: GuardServeFlags) => {
      const { runGuardServe } = await import('./guard-serve.ts');
      await runGuardServe(flags);
    });
}

function addOpen(guard: Command): void {
  guard
    .command('open')
    .summary('open the decisions page of a running guard')
    .description(
      'Prints a new one-time address for the decisions page of croft guard serve on this machine, and opens it in a browser.',
    )
    .option('--port <number>', 'the port of the guard, if several run', parsePort)
    .option('--no-open', 'only print the address')
    .action(async (flags: GuardOpenFlags) => {
      const { runGuardOpen } = await import('./guard-open.ts');
      await runGuardOpen(flags);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('Give a number from 0 to 65535.');
  return port;
}

/** Adds the flags that all subcommands of the guard share. */
export function addGuardFlags(command: Command): Command {
  return command
    .option('--root <dir>', 'the project directory (default: found from the current one by .git, package.json …)')
    .option('--strict', 'also block calls that the guard cannot decide, such as commands with unknown paths')
    .option(
      '--allow-parent-access',
      'also allow the parent directories that belong to the project (a monorepo), below the home directory',
    )
    .option(
      '--config <file>',
      'your policy (default: croft.config.yaml in ~/.croft); the file in the project root can only tighten it',
    )
    .option('--enable-sandboxing [value]', 'true or false; overrides ENABLE_SANDBOXING and the file', parseSwitch);
}

function parseSwitch(text: string): boolean {
  if (/^(?:true|1|yes|on)$/i.test(text)) return true;
  if (/^(?:false|0|no|off)$/i.test(text)) return false;
  throw new InvalidArgumentError('Give true or false.');
}
