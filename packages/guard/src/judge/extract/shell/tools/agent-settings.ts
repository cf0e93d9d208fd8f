import type { Call } from '../call.ts';
import { field, HOME } from '../marks.ts';

/** Agents that start as a command of their own name, and this guard. */
const AGENTS =
  /^(?:claude|claude-code|codex|gemini|gemini-cli|qwen-code|opencode-ai|qwen|opencode|cursor-agent|cursor|crush|goose|amp|copilot|kiro|kiro-cli|q|auggie|droid|aider|croft|amazonq|windsurf|code|code-insiders|codium|trae|zed)$/;
/** Subcommands that change settings: servers, plugins, hooks, extensions. */
const GROUPS =
  /^(?:mcp|mcp-servers?|config|plugins?|extensions?|hooks?|settings|setup|skills?|trust|login|logout|auth|update|install)$/;
const ASKS = /^(?:list|ls|get|show|help|--help|-h|status|path|debug|doctor|--version|--print)$/;
/** Options with which an agent works without asking anyone. */
const RUNS =
  /^(?:-p|--print|--prompt|--message|-m|-x|--execute|--yolo|--full-auto|--auto|--dangerously-[\w-]+|--allow-all[\w-]*|--trust-all[\w-]*|--yes-always|--approval-mode(?:=.*)?|--permission-mode(?:=.*)?)$/;
const INSTALLS = /^--?(?:install|uninstall)-extension|^--add-mcp/;

/**
 * Records that a command changes the settings of an agent or of this guard, or starts an agent that works without
 * asking.
 */
export function noteAgents({ name, args, state, reader }: Call): void {
  if (!AGENTS.test(name)) return;
  const words = args.map((arg) => arg.value);
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  const isSet = GROUPS.test(first) && !ASKS.test(second) && !words.some((word) => ASKS.test(word));
  if (name === 'croft' && (first === 'setup' || first === 'undo'))
    reader.write(state, field(`${HOME}/.claude/settings.json`, `croft ${first}`));
  else if (isSet || words.some((word) => INSTALLS.test(word)))
    reader.undecidable(`'${name} ${first}' changes the settings of an agent.`);
  const isRun = /^(?:exec|run|apply)$/.test(first) || words.some((word) => RUNS.test(word));
  if (isRun && !/^(?:code|code-insiders|codium|zed|croft)$/.test(name))
    reader.undecidable(`'${name}' works without asking, and its calls are not judged.`);
}
