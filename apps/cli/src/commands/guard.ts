import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CheckFlags } from './guard-check.ts';
import type { HookFlags } from './guard-hook.ts';
import type { GuardLogFlags } from './guard-log.ts';
import type { GuardMcpFlags } from './guard-mcp.ts';
import type { GuardServeFlags } from './guard-serve.ts';

/** Repeated here, because importing the guard's package would slow down every help text. */
const AGENT_NAMES = ['claude-code', 'codex', 'cursor', 'gemini-cli', 'opencode', 'qwen-code'];

const AGENTS = `
Agents and the events this understands:
  Claude Code  PreToolUse
  Codex        PreToolUse (it shows its hooks shell commands, patches and MCP calls)
  Gemini CLI   BeforeTool
  Qwen Code    PreToolUse (with --agent qwen-code)
  Cursor       preToolUse, beforeShellExecution, beforeMCPExecution, beforeReadFile
  opencode     tool.execute.before, from the plugin that croft setup guard writes

croft setup guard writes the hook of each of them. Codex skips a hook until you trust it: start codex, enter /hooks.

A blocked call is answered in the agent's own format; an allowed one goes on to the agent's own permission question.
What cannot be answered (a broken configuration, an event that is none of these) ends with code 2, which blocks in
all of them. More: docs/guard.md`;

/** Adds `croft guard`, which judges tool calls of agents before they run. Each subcommand is loaded on demand. */
export function addGuardCommand(program: Command): void {
  const guard = program
    .command('guard')
    .summary("judge agents' tool calls before they run")
    .description(
      "Judges agents' tool calls before they run, and stops those that would change files outside the project.",
    );
  addServe(guard);
  addMcp(guard);
  addLog(guard);
  addGuardFlags(
    guard
      .command('check')
      .summary('explain what would become of a call')
      .description(
        'Reads tool calls from standard input as {"name": …, "arguments": …} (arguments an object, or a string where the raw text matters) and says of each whether it would be allowed, and why. Ends with code 0 when all are allowed, 1 when one is blocked, 2 when the configuration or the input cannot be used.',
      ),
  )
    .option('--remote', 'the agent works on another machine: judge paths by their letters, for POSIX and Windows')
    .option('--dry-run', 'decide as with mode: dry-run, which is said on standard error')
    .option('--lines', 'one call a line')
    .option('--json', 'print JSON on a terminal as well')
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
    .option('--dry-run', 'decide and say so, but let every call pass')
    .addOption(new Option('--agent <name>', 'the agent that calls, where its messages do not say').choices(AGENT_NAMES))
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
    .description('Shows what the guard decided, newest last, whichever door was asked.')
    .option('--follow', 'go on showing what is decided')
    .option('--blocked', 'only what was blocked, or would have been')
    .option('--tool <name>', 'only calls of this tool')
    .option('--since <time>', 'only what was decided since: 90s, 30m, 2h, 1d, or a time')
    .option('--limit <n>', 'most decisions to show; 0 for all', parseCount, 50)
    .option('--json', 'one JSON object a line')
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

Keys go on to the upstream as they came and are never kept. More: docs/guard.md`;

const collect = (value: string, all: readonly string[]): readonly string[] => [...all, value];

const MCP_SERVERS = `
In a client's configuration, put the guard before the command of the server:
  {"command": "croft", "args": ["guard", "mcp", "--root", "/home/you/project", "--", "npx", "-y", "some-mcp-server"]}

A blocked call is answered as a tool's error that the model reads, and the server never sees it. What the server says of
its own tools (annotations such as readOnlyHint) is not trusted. Relative paths are meant from the server's working
directory; outside of the project the server is started in the project. Decisions go to the log that the page of croft
guard serve shows. More: docs/guard.md`;

function addMcp(guard: Command): void {
  addGuardFlags(
    guard
      .command('mcp')
      .summary('stand before an MCP server, and judge the calls it gets')
      .usage('[options] -- <server command>\n       croft guard mcp [options] --url <url>')
      .description(
        'Starts an MCP server of the stdio kind, or reaches one over HTTP, passes its messages on both ways, and judges every tools/call before the server sees it. Ends as the server ends.',
      )
      .argument('[command...]', 'the command of the server, after --'),
  )
    .option('--url <url>', 'a server behind Streamable HTTP, instead of a command')
    .option(
      '--header <line>',
      'sent to --url: "Name: value", with ${NAME} from the environment (repeatable)',
      collect,
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
      .summary('stand between agents and a model, and judge its replies')
      .description(
        'Listens for requests to a model, sends them on, and judges the tool calls in the replies before the agent sees them.',
      ),
  )
    .option(
      '--upstream <url>',
      'where requests go, such as https://api.openai.com; /prefix=URL or model:NAME=URL where there are several (repeatable)',
      collect,
      [],
    )
    .option('--port <number>', 'port to listen on; 0 for any free one', parsePort, 7861)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--dry-run', 'decide and record, but let every call pass')
    .option('--remote', 'the agent works on another machine: judge paths by their letters, for POSIX and Windows')
    .option(
      '--key-root <digest=dir>',
      "the project of requests whose key's SHA-256 begins so (repeatable)",
      collect,
      [],
    )
    .option('--roots-below <dir>', 'let a request name its project in the header X-Croft-Root, below this directory')
    .option(
      '--allowed-host <name>',
      'a further name that requests may give for this machine, behind a reverse proxy (repeatable)',
      collect,
      [],
    )
    .option('--pass <pattern>', 'let paths of the upstream that match pass unread (repeatable)', collect, [])
    .addHelpText('after', BASE_URLS)
    .action(async (flags: GuardServeFlags) => {
      const { runGuardServe } = await import('./guard-serve.ts');
      await runGuardServe(flags);
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
    .option('--strict', 'also block what cannot be decided: a command or a tool whose paths are not to be seen')
    .option('--allow-parent-access', 'also allow the directories the project is part of (a monorepo), below the home')
    .option(
      '--config <file>',
      'your policy (default: croft.config.yaml in ~/.croft); the one in the project root only tightens it',
    )
    .option('--enable-sandboxing [value]', 'true or false, over ENABLE_SANDBOXING and the file', parseSwitch);
}

function parseSwitch(text: string): boolean {
  if (/^(?:true|1|yes|on)$/i.test(text)) return true;
  if (/^(?:false|0|no|off)$/i.test(text)) return false;
  throw new InvalidArgumentError('Give true or false.');
}
