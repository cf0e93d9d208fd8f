import { builtinSource, type CroftComponent, whyNotEditable } from '@croft/components';
import type { Descriptor, Registry } from '@croft/flow';
import { storedSource, userRegistry } from '../compose/flow-code.ts';
import { palette } from '../render/colours.ts';
import { didYouMean } from '../render/did-you-mean.ts';
import { printableJson, printable, shownOn } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

export interface ComponentsFlags {
  readonly dir?: string;
  readonly json?: boolean;
  readonly source?: boolean;
}

/** Prints all components with their count, or one with its fields. */
export async function listComponents(type: string | undefined, flags: ComponentsFlags): Promise<void> {
  const { dir = process.cwd(), json: isJson = false, source } = flags;
  const registry = await userRegistry(dir);
  if (source === true) {
    await showSource(registry, type, dir);
    return;
  }
  if (type !== undefined) {
    showOne(registry, type, isJson);
    return;
  }
  const descriptors = registry.entries.map(({ descriptor }) => descriptor);
  if (isJson) {
    process.stdout.write(`${printableJson(descriptors, 2)}\n`);
    return;
  }
  const { bold, dim } = palette(process.stdout);
  const width = Math.max(...descriptors.map((each) => each.type.length));
  for (const category of new Set(descriptors.map((each) => each.category))) {
    process.stdout.write(`${bold(category)}\n`);
    for (const each of descriptors.filter((descriptor) => descriptor.category === category))
      process.stdout.write(`  ${each.type.padEnd(width)}  ${dim(printable(each.description))}\n`);
  }
  process.stdout.write(`${descriptors.length} components\n`);
}

async function showSource(registry: Registry<CroftComponent>, type: string | undefined, dir: string): Promise<void> {
  if (type === undefined) throw new UsageError('name a component: croft components show TYPE --source');
  const descriptor = descriptorOf(registry, type);
  const source = builtinSource(descriptor.type) ?? (await storedSource(dir, descriptor.type));
  if (source === undefined) throw new UsageError(`${descriptor.type} cannot be edited: ${whyNotEditable(descriptor)}`);
  process.stdout.write(shownOn(process.stdout, source));
}

function descriptorOf(registry: Registry<CroftComponent>, type: string): Descriptor {
  const descriptor = registry.get(type)?.descriptor;
  if (descriptor === undefined) {
    const names = registry.entries.flatMap((each) => [each.descriptor.type, ...(each.descriptor.aliases ?? [])]);
    const hint = didYouMean(type, names) || ';';
    throw new UsageError(`there is no component '${type}'${hint} croft components lists them`);
  }
  return descriptor;
}

function showOne(registry: Registry<CroftComponent>, type: string, isJson: boolean): void {
  const descriptor = descriptorOf(registry, type);
  if (isJson) {
    process.stdout.write(`${printableJson(descriptor, 2)}\n`);
    return;
  }
  process.stdout.write(`${describe(descriptor).join('\n')}\n`);
}

function describe(descriptor: Descriptor): string[] {
  const { bold, dim } = palette(process.stdout);
  const field = (each: Descriptor['fields'][number]) =>
    [each.name, each.kind, each.accepts?.join(' | '), each.required === true ? 'required' : undefined, each.help]
      .filter((part) => part !== undefined && part !== '')
      .map((part) => printable(part as string))
      .join(dim(' · '));
  return [
    `${bold(descriptor.type)}  ${printable(descriptor.description)}`,
    'inputs',
    ...descriptor.fields.map((each) => `  ${field(each)}`),
    'outputs',
    ...descriptor.outputs.map((each) => `  ${printable(each.name)}${dim(' · ')}${printable(each.types.join(' | '))}`),
  ];
}
