import ts from 'typescript';
import { inputTypes } from './input-types.ts';
import { outputProblems } from './output-types.ts';
import { sentenceFor } from './type-sentence.ts';

/** The declarations that code is checked against. */
export interface Declarations {
  readonly language: readonly string[];
  readonly component: string;
}

/** A place in the code that does not fit its types. */
export interface TypeProblem {
  /** Offsets in the code. */
  readonly from: number;
  readonly to: number;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

export interface TypeCompletion {
  readonly name: string;
  /** As the compiler calls it, such as `property` or `method`. */
  readonly kind: string;
  /** Smaller ones come first; old names of the language last. */
  readonly rank: number;
}

/** The declaration of a name in the code. */
export interface TypeInfo {
  readonly from: number;
  readonly to: number;
  /** In TypeScript, on one line or several. */
  readonly text: string;
  /** Its documentation. */
  readonly about: string;
}

export interface TypeChecker {
  check(code: string): readonly TypeProblem[];
  complete(code: string, at: number): readonly TypeCompletion[];
  /** @param name a completion at this place; undefined: the name that is written there */
  inform(code: string, at: number, name?: string): TypeInfo | undefined;
}

const CODE = '/code.ts';
const COMPONENT = '/component.d.ts';
const MAX_PROBLEMS = 20;
/** Names that the compiler always knows and that the sandbox refuses. */
const REFUSED = new Set(['globalThis']);
/** An input may have a name of the base class. */
const OTHER_INPUT = new Set([2415, 2416]);
/** Values without a type are allowed: the compiler calls them implicit, in messages of these codes. */
const isImplicitAny = (code: number) => code >= 7005 && code < 7100;
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  // Code without an export is a module too.
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  // Code that these two refuse may run.
  strictPropertyInitialization: false,
  useUnknownInCatchVariables: false,
  skipLibCheck: true,
  noLib: true,
  types: [],
};

/** Checks the code of components, one text after the other. May take long: call it in a thread of its own. */
export function createTypeChecker({ language, component }: Declarations): TypeChecker {
  const files = new Map(language.map((text, at) => [`/language-${at}.d.ts`, text]));
  files.set(COMPONENT, component);
  files.set(CODE, '');
  let version = 0;
  let length = 0;
  const setCode = (code: string) => {
    const text = `${code}\n${inputTypes(code)}`;
    length = code.length;
    if (files.get(CODE) === text) return;
    files.set(CODE, text);
    version++;
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: (name) => (name === CODE ? `${version}` : '0'),
    getScriptSnapshot: (name) => {
      const text = files.get(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/language-0.d.ts',
    fileExists: (name) => files.has(name),
    readFile: (name) => files.get(name),
  });
  return {
    check(code) {
      setCode(code);
      const syntactic = service.getSyntacticDiagnostics(CODE);
      // Where the text cannot be read, its types are guesses.
      const found = syntactic.length > 0 ? syntactic : service.getSemanticDiagnostics(CODE);
      const isShown = ({ code: number, start = 0 }: ts.Diagnostic) =>
        !OTHER_INPUT.has(number) && !isImplicitAny(number) && (start <= length || syntactic.length > 0);
      const problems = found.filter(isShown).map((each) => problemOf(each, code));
      const program = syntactic.length > 0 ? undefined : service.getProgram();
      const ofOutputs = program
        ? outputProblems(program, CODE).map((each) => ({ ...each, line: lineAt(each.from, code) }))
        : [];
      return [...problems, ...ofOutputs].slice(0, MAX_PROBLEMS);
    },
    complete(code, at) {
      setCode(code);
      const entries = service.getCompletionsAtPosition(CODE, at, {})?.entries ?? [];
      return entries
        .filter(({ name }) => !REFUSED.has(name))
        .map(({ name, kind, sortText }) => ({ name, kind, rank: rankOf(sortText) }));
    },
    inform(code, at, name) {
      setCode(code);
      const found =
        name === undefined
          ? service.getQuickInfoAtPosition(CODE, at)
          : service.getCompletionEntryDetails(CODE, at, name, undefined, undefined, undefined, undefined);
      if (found === undefined) return undefined;
      const { start, length: size } = 'textSpan' in found ? found.textSpan : { start: at, length: 0 };
      return {
        from: start,
        to: start + size,
        // The class is both.
        text: ts.displayPartsToString(found.displayParts).replace(/^(class .*)\ninterface .*$/, '$1'),
        about: ts.displayPartsToString(found.documentation),
      };
    },
  };
}

function problemOf(found: ts.Diagnostic, code: string): TypeProblem {
  const from = Math.min(found.start ?? 0, code.length);
  const to = Math.min(from + (found.length ?? 0), code.length);
  return { from, to, line: lineAt(from, code), message: sentenceFor(found, code.slice(from, to)) };
}

const lineAt = (from: number, code: string): number => code.slice(0, from).split('\n').length;

const LAST = 99;

/** The compiler sorts by texts: two digits, and a `z` before those of deprecated names. */
const rankOf = (sortText: string): number => (/^\d\d/.test(sortText) ? Number(sortText.slice(0, 2)) : LAST);
