#!/usr/bin/env node
// Replaces a command-line agent in tests: reads the hooks from the agent's own configuration, asks a model in the
// agent's own protocol, asks the hook before the call as the agent does, and runs the command unless the hook denies.
// The name under which it is started selects the agent. FAKE_AGENT=no-hooks skips the hooks, as Codex does without
// trust; FAKE_AGENT=no-model asks no model; FAKE_AGENT=own-refusal refuses the call by itself.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { HOME, FAKE_AGENT: mode } = process.env;
const arguments_ = process.argv.slice(2);
const cwd = process.cwd();

const anthropic = {
  url: () => `${process.env.ANTHROPIC_BASE_URL}/v1/messages`,
  ask: (tool, call, result) => ({
    stream: true,
    tools: [{ name: tool }],
    messages:
      result === undefined ? [] : [{ content: [{ type: 'tool_result', tool_use_id: call.id, content: result }] }],
  }),
  read(events) {
    const block = events.find(({ type }) => type === 'content_block_start').content_block;
    const json = events.filter(({ delta }) => delta?.partial_json).map(({ delta }) => delta.partial_json);
    return block.type === 'tool_use' ? { id: block.id, arguments: JSON.parse(json.join('')) } : undefined;
  },
};
const responses = {
  url: () => `${/base_url="([^"]+)"/.exec(arguments_.join(' '))[1]}/responses`,
  ask: (tool, call, result) => ({
    stream: true,
    tools: [{ type: 'function', name: tool }],
    input: result === undefined ? [] : [{ type: 'function_call_output', call_id: call.id, output: result }],
  }),
  read(events) {
    const { item } = events.find(({ type }) => type === 'response.output_item.done');
    const { command, ...rest } = item.type === 'function_call' ? JSON.parse(item.arguments) : {};
    return item.type === 'function_call'
      ? { id: item.call_id, arguments: { command: command ?? rest.cmd } }
      : undefined;
  },
};
const chat = (url) => ({
  url,
  ask: (tool, call, result) => ({
    stream: true,
    tools: [{ type: 'function', function: { name: tool } }],
    messages: result === undefined ? [] : [{ role: 'tool', tool_call_id: call.id, content: result }],
  }),
  read(events) {
    const [call] = events[0].choices[0].delta.tool_calls ?? [];
    return call && { id: call.id, arguments: JSON.parse(call.function.arguments) };
  },
});
const gemini = {
  url: () => `${process.env.GOOGLE_GEMINI_BASE_URL}/v1beta/models/m:streamGenerateContent?alt=sse`,
  ask: (tool, call, result) => ({
    tools: [{ functionDeclarations: [{ name: tool }] }],
    contents:
      result === undefined ? [] : [{ parts: [{ functionResponse: { id: call.id, response: { output: result } } }] }],
  }),
  read([event]) {
    const { functionCall } = event.candidates[0].content.parts[0];
    return functionCall && { id: functionCall.id, arguments: functionCall.args };
  },
};

const AGENTS = {
  claude: { wire: anthropic, tool: 'Bash', event: 'PreToolUse', config: '.claude/settings.json' },
  codex: {
    wire: responses,
    tool: 'exec_command',
    hookTool: 'Bash',
    event: 'PreToolUse',
    config: '.codex/hooks.json',
    more: { turn_id: 't', model: 'm' },
  },
  gemini: { wire: gemini, tool: 'run_shell_command', event: 'BeforeTool', config: '.gemini/settings.json' },
  qwen: {
    wire: chat(() => `${process.env.OPENAI_BASE_URL}/chat/completions`),
    tool: 'run_shell_command',
    event: 'PreToolUse',
    config: '.qwen/settings.json',
  },
  opencode: {
    wire: chat(() => {
      const { provider } = JSON.parse(process.env.OPENCODE_CONFIG_CONTENT);
      return `${Object.values(provider)[0].options.baseURL}/chat/completions`;
    }),
    tool: 'bash',
    plugins: '.config/opencode/plugins',
  },
};

/** The reason of a denial, or `undefined`. */
async function askHooks({ tool, hookTool = tool, event, config, plugins, more }, call) {
  if (plugins !== undefined) return askPlugins(join(HOME, plugins), tool, call);
  const groups = JSON.parse(readFileSync(join(HOME, config), 'utf8')).hooks?.[event] ?? [];
  const message = {
    session_id: 's',
    transcript_path: '/t',
    cwd,
    hook_event_name: event,
    tool_name: hookTool,
    tool_input: call.arguments,
    ...more,
  };
  for (const { command } of groups.flatMap(({ hooks }) => hooks)) {
    const hook = spawnSync(command, { shell: true, cwd, input: JSON.stringify(message), encoding: 'utf8' });
    if (hook.status === 2) return hook.stderr;
    const answer = hook.status === 0 && hook.stdout.trim() !== '' ? JSON.parse(hook.stdout) : {};
    if (answer.decision === 'deny') return answer.reason;
    if (answer.hookSpecificOutput?.permissionDecision === 'deny')
      return answer.hookSpecificOutput.permissionDecisionReason;
  }
  return undefined;
}

async function askPlugins(dir, tool, call) {
  for (const name of readdirSync(dir).filter((file) => file.endsWith('.js'))) {
    const text = readFileSync(join(dir, name), 'utf8');
    const exported = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    for (const plugin of Object.values(exported)) {
      const hooks = await plugin({ directory: cwd });
      try {
        await hooks['tool.execute.before']({ tool, sessionID: 's', callID: call.id }, { args: call.arguments });
      } catch (error) {
        return error.message;
      }
    }
  }
  return undefined;
}

async function askModel({ wire, tool }, call, result) {
  const response = await fetch(wire.url(), { method: 'POST', body: JSON.stringify(wire.ask(tool, call, result)) });
  const text = await response.text();
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return wire.read(data.map((line) => JSON.parse(line.slice('data: '.length))));
}

async function act(agent) {
  if (mode === 'no-model') return 'not signed in';
  const call = await askModel(agent);
  if (call === undefined) return 'no call';
  const denial =
    mode === 'own-refusal' ? 'not allowed here' : mode === 'no-hooks' ? undefined : await askHooks(agent, call);
  const ran = denial ?? spawnSync(call.arguments.command, { shell: true, cwd, encoding: 'utf8' }).stdout;
  await askModel(agent, call, ran);
  return denial === undefined ? 'ran' : `denied: ${denial}`;
}

console.log(await act(AGENTS[basename(process.argv[1])]));
