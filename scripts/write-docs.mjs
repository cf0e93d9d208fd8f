// Writes docs/tools.md from the tools' own schemas. With --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeToolset, TOOLSETS } from '../packages/tools/dist/index.js';
import { z } from 'zod';

const file = join(dirname(fileURLToPath(import.meta.url)), '../docs/tools.md');

const WHAT = {
  full: 'The default of `croft mcp`, also with `--http`. `.gitignore` is honoured by the searches; globs know `{a,b}`.',
  files: 'The five tools of the reference, exactly.',
  explore: 'For looking around in a directory that is not the caller’s own. Never writes.',
  basic: 'For a restricted agent: plain text in and out.',
};

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' \\| ');
  if (schema.anyOf)
    return schema.anyOf
      .map(typeOf)
      .filter((type) => type !== 'null')
      .join(' \\| ');
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`;
  if (schema.type === 'object') return `{ ${Object.keys(schema.properties ?? {}).join(', ')} }`;
  return schema.type ?? 'any';
}

function argumentRows(schema) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const given = required.has(name)
      ? 'required'
      : property.default === undefined
        ? 'optional'
        : `default \`${JSON.stringify(property.default)}\``;
    const bounds = [
      property.minimum > -9e15 && `≥ ${property.minimum}`,
      property.maximum < 9e15 && `≤ ${property.maximum}`,
    ]
      .filter(Boolean)
      .join(', ');
    return `| \`${name}\` | ${typeOf(property)}${bounds ? ` (${bounds})` : ''} | ${given} | ${property.description ?? ''} |`;
  });
}

function toolSection(tool) {
  const schema = z.toJSONSchema(tool.input, { io: 'input' });
  const kind = tool.annotations.readOnlyHint
    ? 'reads'
    : tool.annotations.destructiveHint
      ? 'may replace or remove'
      : 'adds';
  return [
    `### \`${tool.name}\` (${kind})`,
    '',
    tool.description,
    '',
    '| Argument | Type | | |',
    '|---|---|---|---|',
    ...argumentRows(schema),
    '',
  ].join('\n');
}

const source = {
  acquire: () => {
    throw new Error('not called');
  },
};
const text = [
  '# Tools',
  '',
  'Made from the tools’ own schemas by `npm run docs`; do not edit.',
  '',
  ...TOOLSETS.map((name) =>
    [`## Toolset \`${name}\``, '', WHAT[name], '', ...makeToolset(name, source).map(toolSection)].join('\n'),
  ),
].join('\n');

if (process.argv.includes('--check')) {
  const same = readFileSync(file, 'utf8') === text;
  if (!same) console.error('docs/tools.md is not what the tools say; run npm run docs');
  process.exit(same ? 0 : 1);
}
writeFileSync(file, text);
