import { BUILTIN, builtinRegistry, builtinSource, whyNotEditable } from '@croft/components';
import type { Descriptor } from '@croft/flow';
import { palette } from '../render/colours.ts';
import { didYouMean } from '../render/did-you-mean.ts';
import { UsageError } from '../usage-error.ts';

export interface ComponentsFlags {
  readonly json?: boolean;
  readonly source?: boolean;
}

/** Prints all components with their count, or one with its fields. */
export function listComponents(type: string | undefined, { json: isJson = false, source }: ComponentsFlags): void {
  if (source === true) {
    showSource(type);
    return;
  }
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

function showSource(type: string | undefined): void {
  if (type === undefined) throw new UsageError('name a component: croft components show TYPE --source');
  const descriptor = descriptorOf(type);
  const source = builtinSource(descriptor.type);
  if (source === undefined) throw new UsageError(`${descriptor.type} cannot be edited: ${whyNotEditable(descriptor)}`);
  process.stdout.write(source);
}

function descriptorOf(type: string): Descriptor {
  const descriptor = builtinRegistry().get(type)?.descriptor;
  if (descriptor === undefined) {
    const names = BUILTIN.flatMap((each) => [each.descriptor.type, ...(each.descriptor.aliases ?? [])]);
    throw new UsageError(`there is no component '${type}'${didYouMean(type, names)}; croft components lists them`);
  }
  return descriptor;
}

function showOne(type: string, isJson: boolean): void {
  const descriptor = descriptorOf(type);
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
