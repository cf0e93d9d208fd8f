import { builtinSource, type CroftComponent, whyNotEditable } from '@croft/components';
import type { Descriptor, Registry } from '@croft/flow';
import { storedSource, userRegistry } from '../compose/flow-code.ts';
import { palette } from '../render/colours.ts';
import { didYouMean } from '../render/did-you-mean.ts';
import { printableJson, printable, shownOn } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';

/** A longer default, such as code, is only in the JSON. */
const MAX_DEFAULT_CHARS = 200;

type Field = Descriptor['fields'][number];

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

/** When a field needs a value, and when it has an effect. */
function neededBy({ required, requiredWhen, showWhen }: Field): readonly string[] {
  const when = ({ field, is }: NonNullable<Field['showWhen']>): string =>
    `${field} is ${is.map((value) => JSON.stringify(value)).join(' or ')}`;
  return [
    ...(required === true ? ['required'] : []),
    ...(requiredWhen === undefined ? [] : [`required if ${when(requiredWhen)}`]),
    ...(showWhen === undefined ? [] : [`only if ${when(showWhen)}`]),
  ];
}

/** The values that a field takes, and the one that it has without a value. */
function valuesOf({ options, columns, default: initial }: Field): readonly string[] {
  const shown = initial === undefined || initial === '' ? '' : JSON.stringify(initial);
  const column = (each: NonNullable<Field['columns']>[number]): string =>
    `${each.name} (${each.kind}${each.options === undefined ? '' : `: ${each.options.join(' | ')}`})`;
  return [
    ...(options === undefined ? [] : [`one of: ${options.join(' | ')}`]),
    ...(columns === undefined ? [] : [`columns: ${columns.map(column).join(', ')}`]),
    ...(shown === '' ? [] : [shown.length > MAX_DEFAULT_CHARS ? 'default: see --json' : `default: ${shown}`]),
  ];
}

function describe(descriptor: Descriptor): string[] {
  const { bold, dim } = palette(process.stdout);
  const field = (each: Field) =>
    [each.name, each.kind, each.accepts?.join(' | '), ...neededBy(each), ...valuesOf(each), each.help]
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
