import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** Built from `component.ts` and the classes beside this file; see `scripts/build-components.mjs`. */
interface BuiltSources {
  /** The functions that components import, and those that these need, in the order of a script. */
  readonly library: readonly { readonly name: string; readonly code: string; readonly needs: readonly string[] }[];
  /** The sources of the classes, by type. */
  readonly classes: Readonly<Record<string, string>>;
}

let built: BuiltSources | undefined;

function builtSources(): BuiltSources {
  built ??= JSON.parse(brotliDecompressSync(readFileSync(sourcesFile())).toString()) as BuiltSources;
  return built;
}

/** Beside this file when built, beside the bundle when bundled. */
function sourcesFile(): URL {
  for (const name of ['./component-sources.json.br', '../../dist/editable/component-sources.json.br']) {
    const url = new URL(name, import.meta.url);
    if (existsSync(url)) return url;
  }
  throw new Error('The sources of the components are missing. Build or install Croft again.');
}

/**
 * A script that defines these functions of `@croft/component`, with only what they need: the sandbox reads it for each row.
 * Leaves out names that are not there, such as those of types.
 */
export function libraryOf(names: readonly string[]): string {
  if (names.length === 0) return '';
  const { library } = builtSources();
  const wanted = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    open.push(...(library.find((each) => each.name === name)?.needs ?? []));
  }
  return library
    .filter(({ name }) => wanted.has(name))
    .map(({ code }) => code)
    .join('\n');
}

/** The source of a built-in component that can be edited; undefined for others. */
export function builtinSource(type: string): string | undefined {
  const { classes } = builtSources();
  return Object.hasOwn(classes, type) ? classes[type] : undefined;
}

/** Whether code is the source of this built-in component, except for spaces and line ends. */
export function isBuiltinSource(type: string, code: string): boolean {
  const source = builtinSource(type);
  return source !== undefined && withOneSpace(source) === withOneSpace(code);
}

const withOneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();
