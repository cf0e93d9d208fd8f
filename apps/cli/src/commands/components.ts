import type { Command } from 'commander';

/** Adds `croft components`, which lists the components of flows. */
export function addComponentsCommand(program: Command): void {
  program
    .command('components [type]')
    .summary('list the components of flows')
    .description('Lists the components of flows, or shows the inputs and outputs of one.')
    .option('--json', 'print the descriptors as JSON')
    .action(async (type: string | undefined, { json }: { json?: boolean }) => {
      const { listComponents } = await import('./list-components.ts');
      listComponents(type, json === true);
    });
}
