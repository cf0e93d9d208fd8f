// Writes what the sandbox and "edit code" need of the built-in components: the functions that they import, and
// their sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';
import * as esbuild from 'esbuild';

const CLASS = /^export class (\w+) extends Component \{$/m;

/** @returns the text of `component-sources.json.br`, not compressed */
export async function componentSources(root) {
  const dir = join(root, 'packages/components/src/editable');
  const classes = {};
  for (const name of readdirSync(dir).sort()) {
    const text = readFileSync(join(dir, name), 'utf8');
    const type = CLASS.exec(text)?.[1];
    if (type !== undefined && name !== 'component.ts')
      classes[type] = text.replace("from './component.ts'", "from '@croft/component'");
  }
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(dir, 'component.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['source'],
    // The whole package brings its parser of documents.
    alias: { '@croft/flow': join(root, 'packages/flow/src/variables.ts') },
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  const library = partsOf(outputFiles[0].text);
  return JSON.stringify({ library, classes });
}

/** The declarations of a script in their order, each with the others that it needs. */
function partsOf(script) {
  const statements = parse(script, { ecmaVersion: 2023, sourceType: 'module' }).body;
  const declared = statements.flatMap((node) => {
    const names = (node.declarations ?? [node]).map(({ id }) => id?.name);
    // The sandbox has a class of its own, and needs no exports.
    if (node.type === 'ExportNamedDeclaration' || names.includes('Component')) return [];
    if (names.length !== 1 || names[0] === undefined)
      throw new Error(`component.ts: ${node.type} is not a declaration`);
    return [{ name: names[0], code: script.slice(node.start, node.end) }];
  });
  const needs = ({ name, code }) =>
    declared.filter((each) => each.name !== name && new RegExp(`\\b${each.name}\\b`).test(code));
  return declared.map((part) => ({ ...part, needs: needs(part).map(({ name }) => name) }));
}
