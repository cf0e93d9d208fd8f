import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

it.each([
  ['croft setup', '~/.claude/settings.json'],
  ['croft undo', '~/.claude/settings.json'],
])('agents: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['claude mcp list', 'code .', 'cursor-agent status'])(
  'agents: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  'claude mcp add x',
  "claude -p 'do it'",
  "codex exec 'do it'",
  'codex --yolo',
  'code --install-extension x',
  'gemini extensions install x',
  'aider --message x',
])('agents: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['claude mcp add x', "(mcp) (add) (x) ? 'claude mcp' changes the settings of an agent."],
  ['claude mcp list', '(mcp) (list)'],
  ['claude config set a b', "(config) (set) (a) (b) ? 'claude config' changes the settings of an agent."],
  ['claude plugin install x', "(plugin) (install) (x) ? 'claude plugin' changes the settings of an agent."],
  ['claude -p hi', "(hi) ? 'claude' works without asking, and its calls are not judged."],
  ['claude --print hi', "(hi) ? 'claude' works without asking, and its calls are not judged."],
  ['claude --dangerously-skip-permissions', "? 'claude' works without asking, and its calls are not judged."],
  ['claude --permission-mode=plan', "? 'claude' works without asking, and its calls are not judged."],
  ['claude', ''],
  ['codex exec hi', "? 'codex' works without asking, and its calls are not judged."],
  ['codex --full-auto', "? 'codex' works without asking, and its calls are not judged."],
  ['codex login', "? 'codex login' changes the settings of an agent."],
  ['codex login status', ''],
  ['gemini extensions install x', "(extensions) (install) (x) ? 'gemini extensions' changes the settings of an agent."],
  ['gemini --yolo', "? 'gemini' works without asking, and its calls are not judged."],
  ['gemini mcp --help', '(mcp)'],
  ['qwen hooks add', "(hooks) (add) ? 'qwen hooks' changes the settings of an agent."],
  ['opencode run hi', "(run) (hi) ? 'opencode' works without asking, and its calls are not judged."],
  ['opencode auth login', "(auth) (login) ? 'opencode auth' changes the settings of an agent."],
  ['cursor-agent -p hi', "(hi) ? 'cursor-agent' works without asking, and its calls are not judged."],
  ['cursor --install-extension x', "(x) ? 'cursor x' changes the settings of an agent."],
  ['code --install-extension x', "(x) ? 'code x' changes the settings of an agent."],
  ['code --uninstall-extension x', "(x) ? 'code x' changes the settings of an agent."],
  ['code --add-mcp x', "(x) ? 'code x' changes the settings of an agent."],
  ['code -p x', '(x)'],
  ['code f', '(f)'],
  ['codium run x', '(run) (x)'],
  ['zed run x', '(run) (x)'],
  ['windsurf --install-extension x', "(x) ? 'windsurf x' changes the settings of an agent."],
  ['crush settings', "(settings) ? 'crush settings' changes the settings of an agent."],
  ['goose run x', "(run) (x) ? 'goose' works without asking, and its calls are not judged."],
  ['amp -x hi', "(hi) ? 'amp' works without asking, and its calls are not judged."],
  ['copilot --allow-all-tools', "? 'copilot' works without asking, and its calls are not judged."],
  ['kiro setup', "(setup) ? 'kiro setup' changes the settings of an agent."],
  ['kiro-cli trust x', "(trust) (x) ? 'kiro-cli trust' changes the settings of an agent."],
  ['q --trust-all-tools', "? 'q' works without asking, and its calls are not judged."],
  ['auggie update', "(update) ? 'auggie update' changes the settings of an agent."],
  ['droid exec hi', "(exec) (hi) ? 'droid' works without asking, and its calls are not judged."],
  ['aider --message x', "(x) ? 'aider' works without asking, and its calls are not judged."],
  ['aider -m x', "(x) ? 'aider' works without asking, and its calls are not judged."],
  ['aider --yes-always', "? 'aider' works without asking, and its calls are not judged."],
  ['trae skills add', "(skills) (add) ? 'trae skills' changes the settings of an agent."],
  ['croft setup', '~/.claude/settings.json (setup)'],
  ['croft undo', '~/.claude/settings.json (undo)'],
  ['croft setup claude', '~/.claude/settings.json (setup) (claude)'],
  ['croft run x', '(run) (x)'],
  ['croft config get', '(config) (get)'],
  ['croft status', '(status)'],
  ['other mcp add', '(mcp) (add)'],
])('agents: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
