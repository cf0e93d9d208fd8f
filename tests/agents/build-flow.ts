import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import { describe, expect, it } from 'vitest';
import { change } from '../browser/studio-servers.ts';
import { useStudio } from '../browser/use-studio.ts';
import { PROGRAM } from './qwen-code.ts';

const opener = useStudio({ newUser: true });

/** The calls of the model, one a reply. The agent chooses the prefix of the names. */
const CALLS = (flow_id: string) => [
  {
    name: 'batch',
    arguments: {
      actions: [
        { tool: 'add_component', args: { flow_id, component_type: 'ChatInput' } },
        { tool: 'add_component', args: { flow_id, component_type: 'ChatOutput' } },
        {
          tool: 'connect_components',
          args: {
            flow_id,
            source_id: '$0.id',
            source_output: 'message',
            target_id: '$1.id',
            target_input: 'input_value',
          },
        },
        {
          tool: 'configure_component',
          args: { flow_id, component_id: '$0.id', params: { input_value: 'built by an agent' } },
        },
      ],
    },
  },
  { name: 'layout_flow', arguments: { flow_id } },
  { name: 'run_flow', arguments: { flow_id } },
  { name: 'notify_done', arguments: { flow_id, summary: 'Built an echo' } },
];

/** The names by which the agent finds the tools. */
const SEARCHED = ['batch', 'layout_flow', 'run_flow', 'notify_done'].map((name) => `mcp__croft__${name}`).join(',');

/** The name of a tool as the agent offers it to the model. */
function offeredName(body: string, name: string): string | undefined {
  const { tools = [] } = JSON.parse(body) as { tools?: { function?: { name?: string } }[] };
  const names = tools.map((tool) => tool.function?.name ?? '');
  return names.find((each) => each === name) ?? names.find((each) => each.endsWith(`__${name}`));
}

describe('a real agent', { timeout: 360_000 }, () => {
  it('builds, edits and runs a flow over MCP while its canvas is open, which follows each change', async () => {
    const home = mkdtempSync(join(tmpdir(), 'croft-agent-'));
    let flowId = '';
    let key = '';
    const studio = await opener.open({
      path: 'flows',
      beforeLoad: async (_, user) => {
        flowId = ((await change(user.visitor, 'POST', '/api/v1/flows', {})) as { flow: { id: string } }).flow.id;
        key = ((await change(user.visitor, 'POST', '/api/v1/keys', { name: 'agent' })) as { secret: string }).secret;
      },
    });
    const { page } = studio;
    await page.goto(`${studio.url}flows/${flowId}`);
    const calls = CALLS(flowId);
    let searches = 3;
    const provider = await startScriptedProvider(({ body }): ScriptedReply => {
      const [next] = calls;
      const name = next && offeredName(body, next.name);
      // The agent offers tools of MCP servers only after a search.
      if (next !== undefined && name === undefined && offeredName(body, 'tool_search') !== undefined && searches-- > 0)
        return { calls: [{ name: 'tool_search', arguments: { query: `select:${SEARCHED}` } }] };
      if (next === undefined || name === undefined) return { text: 'Done.' };
      calls.shift();
      return { calls: [{ name, arguments: next.arguments }] };
    });
    try {
      mkdirSync(join(home, '.qwen'));
      writeFileSync(
        join(home, '.qwen/settings.json'),
        JSON.stringify({
          mcpServers: {
            croft: {
              httpUrl: `${studio.url}mcp/flows`,
              headers: { Authorization: `Bearer ${key}` },
              trust: true,
              timeout: 60_000,
            },
          },
        }),
      );
      const model = ['--openai-base-url', `${provider.url}/v1`, '--openai-api-key', 'none', '--model', 'local-model'];
      const child = spawn(PROGRAM, ['-p', 'Build an echo and run it', '--yolo', '--auth-type', 'openai', ...model], {
        cwd: home,
        env: { PATH: process.env['PATH'], HOME: home, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const timer = setTimeout(() => child.kill('SIGKILL'), 240_000);
      // The page was not loaded again.
      const nodes = page.locator('.react-flow__node');
      await expect.poll(() => nodes.count(), { timeout: 120_000 }).toBe(2);
      await nodes.getByText('built by an agent').first().waitFor();
      expect({ code: await ended, said, left: calls.length }).toMatchObject({ code: 0, left: 0 });
      clearTimeout(timer);
      const { body } = await studio.visitor.json<any>(`/api/v1/runs?flow=${flowId}`);
      expect(body.runs).toMatchObject([{ status: 'completed' }]);
      const { flow } = (await studio.visitor.json<any>(`/api/v1/flows/${flowId}`)).body;
      expect(flow.document.nodes.map(({ type }: { type: string }) => type)).toEqual(['ChatInput', 'ChatOutput']);
      expect(flow.document.edges).toHaveLength(1);
    } finally {
      await provider.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
