import type { Command } from 'commander';
import type { ComponentsFlags } from './list-components.ts';

/** Adds `croft components`, which lists the components of flows. */
export function addComponentsCommand(program: Command): void {
  program
    .command('components [type] [name]')
    .summary('list the components of flows')
    .description(
      'Lists the components of flows, or shows the inputs and outputs of one: croft components show TYPE. Your own components in .components/ of the directory are listed, too.',
    )
    .option('--dir <dir>', 'the directory with your own components (default: the current one)')
    .option('--json', 'print the descriptors as JSON')
    .option('--source', 'print the source of your own component, or of a built-in one that can be edited')
    .action(async (type: string | undefined, name: string | undefined, flags: ComponentsFlags) => {
      const { listComponents } = await import('./list-components.ts');
      await listComponents(type === 'show' ? name : type, flags);
    });
}
