import { BUILTIN, builtinRegistry } from '@croft/components';
import type { Descriptor } from '@croft/flow';
import { palette } from '../render/colours.ts';
import { UsageError } from '../usage-error.ts';

/** Prints all components with their count, or one with its fields. */
export function listComponents(type: string | undefined, isJson: boolean): void {
  if (type !== undefined) {
    showOne(type, isJson);
    return;
  }
  const descriptors = BUILTIN.map(({ descriptor }) => descriptor);
  if (isJson) {
    process.stdout.write(`${JSON.stringify(descriptors, null, 2)}\n`);
    return;
  }
  const { bold, dim } = palette(process.stdout);
  const width = Math.max(...descriptors.map((each) => each.type.length));
  for (const category of new Set(descriptors.map((each) => each.category))) {
    process.stdout.write(`${bold(category)}\n`);
    for (const each of descriptors.filter((descriptor) => descriptor.category === category))
      process.stdout.write(`  ${each.type.padEnd(width)}  ${dim(each.description)}\n`);
  }
  process.stdout.write(`${descriptors.length} components\n`);
}

function showOne(type: string, isJson: boolean): void {
  const descriptor = builtinRegistry().get(type)?.descriptor;
  if (descriptor === undefined) throw new UsageError(`there is no component '${type}'; croft components lists them`);
  if (isJson) {
    process.stdout.write(`${JSON.stringify(descriptor, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${describe(descriptor).join('\n')}\n`);
}

function describe(descriptor: Descriptor): string[] {
  const { bold, dim } = palette(process.stdout);
  const field = (each: Descriptor['fields'][number]) =>
    [each.name, each.kind, each.accepts?.join(' | '), each.required === true ? 'required' : undefined, each.help]
      .filter(Boolean)
      .join(dim(' · '));
  return [
    `${bold(descriptor.type)}  ${descriptor.description}`,
    'inputs',
    ...descriptor.fields.map((each) => `  ${field(each)}`),
    'outputs',
    ...descriptor.outputs.map((each) => `  ${each.name}${dim(' · ')}${each.types.join(' | ')}`),
  ];
}
