import { builtinRegistry, type Template, TEMPLATES } from '@croft/components';
import { buildFromSpec, printFlow } from '@croft/flow';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownCommand } from '../compose/own-command.ts';
import { palette } from '../render/colours.ts';
import { didYouMean } from '../render/did-you-mean.ts';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { osReason } from '@croft/workspace';
import { writeNewFile } from '../compose/write-new-file.ts';

/** Prints the templates with their descriptions. */
export function listTemplates(isJson: boolean): void {
  if (isJson) {
    process.stdout.write(`${JSON.stringify(TEMPLATES, null, 2)}\n`);
    return;
  }
  const { dim } = palette(process.stdout);
  const width = Math.max(...TEMPLATES.map(({ name }) => name.length));
  for (const { name, description, needsNetwork } of TEMPLATES)
    process.stdout.write(
      `${name.padEnd(width)}  ${dim(`${description}${needsNetwork === true ? ' Needs the network.' : ''}`)}\n`,
    );
  process.stdout.write(`${TEMPLATES.length} templates\n`);
}

export interface NewFlowFlags {
  readonly out?: string;
  readonly withFiles?: boolean;
}

/**
 * Writes a template as text, or as a JSON document where the name of the file ends with .json. The file must not exist.
 * Without a file, prints the text. `withFiles` writes the files that the template reads beside it, or into the current
 * directory.
 */
export function newFlow(name: string, { out, withFiles = false }: NewFlowFlags): void {
  const template = TEMPLATES.find((each) => each.name === name);
  if (template === undefined)
    throw new UsageError(
      `there is no template '${printable(name)}'${didYouMean(
        name,
        TEMPLATES.map((each) => each.name),
      )}; croft flow templates lists them`,
    );
  if (out === undefined) {
    process.stdout.write(template.spec);
    if (withFiles) writeFiles(template, '.');
    return;
  }
  writeNewFile(out, out.endsWith('.json') ? documentOf(template) : template.spec);
  const { green, dim } = palette(process.stderr);
  process.stderr.write(`${green('created')}  ${printable(out)}\n`);
  if (withFiles) writeFiles(template, dirname(out));
  const input = template.input === undefined ? '' : ` --input '${template.input}'`;
  const reads = withFiles ? '' : readsOf(template);
  process.stderr.write(`${dim(`${reads}Run it: ${printable(ownCommand())} run ${printable(out)}${input}`)}\n`);
}

const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** Writes the files that a template reads. Files that exist stay as they are. */
function writeFiles({ files = {} }: Template, dir: string): void {
  const { green, dim } = palette(process.stderr);
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { flag: 'wx' });
      process.stderr.write(`${green('created')}  ${printable(path)}\n`);
    } catch (error) {
      if (!isThere(error)) throw new UsageError(`${path}: cannot be written: ${osReason(error)}`);
      process.stderr.write(`${dim('kept')}  ${printable(path)}\n`);
    }
  }
}

function readsOf({ files = {} }: Template): string {
  const names = Object.keys(files);
  return names.length === 0
    ? ''
    : `It reads files of the directory, such as ${names.join(' and ')}. Put one there first, or use --with-files.\n`;
}

function documentOf({ name, spec }: Template): string {
  const built = buildFromSpec(spec, builtinRegistry());
  if ('error' in built) throw new Error(`template ${name}: ${built.error}: ${built.details}`);
  return printFlow(built.flow);
}
