import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../support/temp-dir.ts';
import { viewProblems } from './axe-problems.ts';
import { openFlow } from './open-flow.ts';
import { useStudio } from './use-studio.ts';

const dir = fileDir();
const COMMAND = `${process.execPath} ${join(import.meta.dirname, '../../apps/cli/dist/croft.cjs')} mcp ${dir} --no-second-wall`;
const tests = useStudio({}, () => ({ flowCommands: [COMMAND] }));

const FLOW = 'nodes:\n  M: MCPTools\nconfig:\n  M.transport: Command\n';

describe('an MCP server in the inspector', () => {
  it('is an allowed command, lists its tools, and the arguments of one are checked before the run', async () => {
    const { page, node, stored } = await openFlow(tests, FLOW);
    await node('MCP tools').click();
    const panel = page.getByRole('region', { name: 'Component MCP tools' });
    const list = panel.getByRole('button', { name: 'List the tools of the server' });
    expect(await list.isDisabled()).toBe(true);
    await panel.getByLabel('Command').selectOption(COMMAND);
    await list.click();
    const tools = panel.getByRole('list', { name: 'Tools of the server' });
    await tools.getByText('read_file', { exact: true }).click();
    await panel.getByText(/^Arguments: path \(text, required\)/).waitFor();
    await panel.getByText("The value needs 'path'.").waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await panel.getByRole('textbox', { name: 'Arguments' }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{ "path": "a.md" }');
    await panel.getByText("The value needs 'path'.").waitFor({ state: 'detached' });
    await expect.poll(async () => (await stored()).nodes[0]?.values['tool']).toBe('read_file');
    await panel.getByLabel('Transport', { exact: true }).selectOption('Streamable HTTP');
    await panel.getByLabel('Address').fill('http://169.254.169.254/mcp');
    await list.click();
    await panel.getByText(/169\.254\.169\.254/).waitFor();
    expect(await viewProblems(page)).toEqual([]);
  });

  it('says what to do where no command is allowed', async () => {
    const { page, node } = await openFlow(tests, FLOW, {
      beforeLoad: (opened) =>
        opened.route('**/api/v1/flow-commands', (route) => route.fulfill({ json: { fixed: [], commands: [] } })),
    });
    await node('MCP tools').click();
    const panel = page.getByRole('region', { name: 'Component MCP tools' });
    await panel.getByText('No command is allowed on this server yet.').waitFor();
    expect(await viewProblems(page)).toEqual([]);
    await panel.getByRole('link', { name: 'Allow a command' }).click();
    await page.getByRole('region', { name: 'Commands of MCP servers' }).waitFor();
  });
});
