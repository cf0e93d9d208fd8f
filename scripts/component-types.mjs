// The declarations that the code editor checks components of users against: what the sandbox offers of JavaScript, the
// class that components extend, and the functions of `@croft/component`. Read from the sources and from the sandbox's engine.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MODULE = 'packages/components/src/editable/component.ts';
const CLASS = 'packages/components/src/user/sandbox/prelude.ts';
/** Modules that `component.ts` names by their package. */
const BY_PACKAGE = {
  '@croft/flow': 'packages/flow/src/variables.ts',
  '@croft/workspace/find-text': 'packages/workspace/src/text/find-text.ts',
};
/** Globals of the engine that the scan of components refuses. */
const REFUSED = new Set(['eval', 'Function', 'globalThis', 'SharedArrayBuffer']);
/** Parts of the language's declarations that the engine does not have, or that only decorators use. */
const LEFT_OUT = /intl|sharedmemory|decorators|dom|scripthost/;

/** @returns {Promise<{language: string[], component: string}>} texts of declaration files */
export async function componentTypes() {
  return { language: languageTypes(await engineNames()), component: moduleTypes() };
}

const parse = (name, text) => ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);

/** The names of the engine's globals, each with its static functions and its methods. */
async function engineNames() {
  const context = (await newQuickJSWASMModuleFromVariant(variant)).newContext();
  const result = context.evalCode(`JSON.stringify(Object.getOwnPropertyNames(globalThis).map((name) => {
    const value = globalThis[name];
    const names = (each) => {
      const found = [];
      for (let at = each; Object(at) === at; at = Object.getPrototypeOf(at)) found.push(...Object.getOwnPropertyNames(at));
      return found;
    };
    return [name, { statics: names(value), methods: names(value?.prototype) }];
  }))`);
  const names = new Map(JSON.parse(context.getString(context.unwrapResult(result))));
  context.dispose();
  return names;
}

/** The declarations of the language, without the globals and methods that the engine does not have. */
function languageTypes(engine) {
  const lib = dirname(createRequire(createRequire(import.meta.url).resolve('typescript')).resolve('@typescript/old'));
  const seen = new Set();
  // Each is a file of its own, because one of them is a module.
  const read = (name) => {
    if (seen.has(name) || LEFT_OUT.test(name)) return [];
    seen.add(name);
    const file = parse(name, readFileSync(join(lib, `lib.${name}.d.ts`), 'utf8'));
    const before = file.libReferenceDirectives.flatMap(({ fileName }) => read(fileName));
    const text = file.statements.map((each) => keptStatement(each, file.text, engine)).join('');
    // THIRD-PARTY-NOTICES has the licence.
    return text === '' ? before : [...before, text.replace(/^\/\*!.*?\*\/\s*(\/\/\/[^\n]*\s*)*/s, '')];
  };
  return read('es2025');
}

function keptStatement(node, text, engine) {
  const has = (name) => engine.has(name) && !REFUSED.has(name);
  if (ts.isVariableStatement(node))
    return has(node.declarationList.declarations[0].name.text) ? node.getFullText() : '';
  if (ts.isFunctionDeclaration(node)) return has(node.name.text) ? node.getFullText() : '';
  const name = node.name?.text ?? '';
  if (ts.isInterfaceDeclaration(node))
    return without(node, node.members, text, (each) => {
      if (!ts.isMethodSignature(each) || !ts.isIdentifier(each.name)) return false;
      const known = methodsOf(name, engine);
      return known !== undefined && !known.includes(each.name.text);
    });
  // Its types are used by methods; the engine has no values of it.
  if (ts.isModuleDeclaration(node) && name !== 'global' && !engine.has(name))
    return without(node, node.body.statements, text, (each) => ts.isVariableStatement(each));
  return node.getFullText();
}

/** The functions of an interface: `ArrayConstructor` has the static ones of `Array`. */
function methodsOf(name, engine) {
  // The protocol, which objects of many classes keep; the class has the name only.
  if (name === 'Iterator') return undefined;
  const own = engine.get(name.replace(/^Readonly/, ''));
  if (own === undefined) return engine.get(name.replace(/Constructor$/, ''))?.statics;
  return own.methods.length > 0 ? own.methods : own.statics;
}

/** The text of a node without some of its parts. */
function without(node, parts, text, isLeftOut) {
  let result = '';
  let end = node.getFullStart();
  for (const part of parts.filter(isLeftOut)) {
    result += text.slice(end, part.getFullStart());
    end = part.end;
  }
  return result + text.slice(end, node.end);
}

/** The names that components import, with the module that declares each, and the global class. */
function exportedNames() {
  const file = parse(MODULE, readFileSync(join(root, MODULE), 'utf8'));
  const exported = file.statements
    .filter((each) => ts.isExportDeclaration(each))
    .flatMap(({ exportClause, moduleSpecifier: { text } }) =>
      exportClause.elements.map(({ name }) => [name.text, BY_PACKAGE[text] ?? join(dirname(MODULE), text)]),
    );
  return [...exported, ['Component', CLASS]];
}

/** The files of this repository that decide the declarations. */
export function sourcesOfTypes() {
  // The manifest names the version of the engine.
  const paths = [MODULE, 'packages/components/package.json', ...exportedNames().map(([, path]) => path)];
  return [...[...new Set(paths)].map((path) => join(root, path)), fileURLToPath(import.meta.url)];
}

/** The declarations of `@croft/component`, and the global class. */
function moduleTypes() {
  const parts = new Map();
  const files = new Map();
  const fileOf = (path) => {
    if (!files.has(path)) files.set(path, declarationsOf(path));
    return files.get(path);
  };
  for (const [name, path] of exportedNames()) addDeclaration(path, name, true, parts, fileOf);
  const texts = [...parts.values()].map(
    ({ comment, text, isExported }) => `${comment}\n${isExported ? 'export ' : ''}${text}`,
  );
  return `declare module '@croft/component' {
${texts.join('\n')}
export {};
}
declare const Component: typeof import('@croft/component').Component;
type Component = import('@croft/component').Component;
`;
}

/** Adds the declaration of a name, and those of its file that it needs. */
function addDeclaration(path, name, isExported, parts, fileOf) {
  const known = parts.get(name);
  if (known !== undefined) return void (known.isExported ||= isExported);
  const file = fileOf(path);
  const node = file.statements.find((each) => declaredBy(each).includes(name));
  if (node === undefined) throw new Error(`${path} does not declare ${name}, which @croft/component needs`);
  const comment = file.text.slice(node.getFullStart(), node.getStart()).trim();
  const text = node.getText().replace(/^(export )?(declare )?/, '');
  parts.set(name, { comment, text, isExported });
  const ofFile = new Set(file.statements.flatMap((each) => [...declaredBy(each), ...importedBy(each)]));
  const visit = (each) => {
    if (ts.isIdentifier(each) && each.text !== name && ofFile.has(each.text))
      addDeclaration(path, each.text, false, parts, fileOf);
    ts.forEachChild(each, visit);
  };
  visit(node);
}

/** The declarations of a module, written by the compiler from this file alone. */
function declarationsOf(path) {
  const { outputText } = ts.transpileDeclaration(readFileSync(join(root, path), 'utf8'), { fileName: path });
  return parse(path, outputText);
}

function declaredBy(node) {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.text);
  return ts.isImportDeclaration(node) || node.name === undefined ? [] : [node.name.text];
}

function importedBy(node) {
  const names = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
  return names && ts.isNamedImports(names) ? names.elements.map(({ name }) => name.text) : [];
}
