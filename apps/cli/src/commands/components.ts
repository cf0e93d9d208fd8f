import type { Command } from 'commander';

/** Adds `croft components`, which lists the components of flows. */
export function addComponentsCommand(program: Command): void {
  program
    .command('components [type] [name]')
    .summary('list the components of flows')
    .description('Lists the components of flows, or shows the inputs and outputs of one: croft components show TYPE.')
    .option('--json', 'print the descriptors as JSON')
    .option('--source', 'print the source of a built-in component that can be edited')
    .action(async (type: string | undefined, name: string | undefined, flags: { json?: boolean; source?: boolean }) => {
      const { listComponents } = await import('./list-components.ts');
      listComponents(type === 'show' ? name : type, flags);
    });
}
