import { Command } from 'commander';
import { expect, it } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { addComponentsCommand } from './components.ts';

it('lists components, or shows one with or without the word show', async () => {
  const output = captureOutput();
  const dir = testDir();
  const run = async (...args: string[]) => {
    output.out = '';
    const program = new Command('croft').exitOverride();
    addComponentsCommand(program);
    await program.parseAsync(['components', ...args, '--dir', dir], { from: 'user' });
    return output.out;
  };
  expect(await run()).toMatch(/\d+ components\n$/);
  const shown = await run('ChatInput');
  expect(shown).toMatch(/^ChatInput {2}/);
  expect(await run('show', 'ChatInput')).toBe(shown);
  expect(JSON.parse(await run('ChatInput', '--json'))).toMatchObject({ type: 'ChatInput' });
  await expect(run('show', '--source')).rejects.toThrow('name a component');
});
