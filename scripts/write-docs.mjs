// Writes docs/tools.md from the schemas of the tools, and the numbers in README.md from docs/results. With --check it
// writes nothing and fails when a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withNumbers } from './readme-numbers.mjs';
import { makeToolset, TOOLSETS } from '../packages/tools/dist/index.js';
import { z } from 'zod';

const file = join(dirname(fileURLToPath(import.meta.url)), '../docs/tools.md');

const WHAT = {
  full: 'The default of `croft mcp`, also with `--http`. Searches respect `.gitignore`; globs support `{a,b}`.',
  files: 'Compatible with the File System component of Langflow: [contract](contracts/file-tools.md).',
  explore:
    'For reading a directory that does not belong to the caller. Never writes. [Contract](contracts/gateway.md).',
  basic: 'For a restricted agent: plain text in and out. [Contract](contracts/restricted-tools.md).',
};

/** Where a toolset behaves differently from the system whose contract it keeps. */
const DIFFERENCES = {
  files: [
    'Regular expressions are those of JavaScript. `(?P<name>…)`, `(?P=name)`, `\\A`, `\\Z` and flags at the start, such as `(?i)`, are translated.',
    'A search ends after 30 s, or after 5 s with look-around, back-references or large counts; it then returns what it found, with `truncated: true`.',
    'A result has at most 1 MiB: `read_file` then adds `truncated: true` and `next_offset`.',
    '`edit_file` keeps the encoding and the line ends: `\\n` in `old_string` also matches `\\r\\n`. It refuses files that are not UTF-8 or UTF-16.',
    'Protected names are refused under their names on NTFS too (`.git::$DATA`, `GIT~1`), and so is a path that begins with `~`.',
    'Arguments that are not in the table are refused.',
    'Texts name `CROFT_BASE_DIR` instead of the variables of Langflow, and no text for the model has a host path.',
  ],
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

function differencesOf(name) {
  const lines = DIFFERENCES[name];
  return lines ? ['Differences from the component:', '', ...lines.map((line) => `- ${line}`), ''] : [];
}

const source = {
  hasTrash: true,
  acquire: () => {
    throw new Error('not called');
  },
};
const text = [
  '# Tools',
  '',
  'Made from the tools’ own schemas by `npm run docs`; do not edit.',
  '',
  'Tools that write can change files in the workspace that other programs run later, such as `.vscode/tasks.json` or scripts of',
  '`package.json`. [SECURITY.md](../SECURITY.md) says how to limit that; the `protect` list of the guard does not apply to these tools.',
  '',
  ...TOOLSETS.map((name) =>
    [
      `## Toolset \`${name}\``,
      '',
      WHAT[name],
      '',
      ...differencesOf(name),
      ...makeToolset(name, source).map(toolSection),
    ].join('\n'),
  ),
].join('\n');

const readme = join(dirname(file), '../README.md');
const files = new Map([
  [file, text],
  [readme, withNumbers(readFileSync(readme, 'utf8'))],
]);

if (process.argv.includes('--check')) {
  const stale = [...files].filter(([path, wanted]) => readFileSync(path, 'utf8') !== wanted);
  for (const [path] of stale) console.error(`${basename(path)} is out of date: run npm run docs`);
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [path, wanted] of files) writeFileSync(path, wanted);
