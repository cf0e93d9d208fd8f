import { WorkspaceError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { chooseEngine } from './choose-engine.ts';
import { nestsQuantifiers } from './may-backtrack.ts';
import { escapeLiteral, type LinePattern, toPatternSource } from './pattern-source.ts';
import type { PatternSource } from './pattern-tokens.ts';
import { requiredLiteral } from './required-literal.ts';

/** A pattern ready to run over files. */
export interface LineMatcher {
  /** Bytes every matching file must contain; a file without them needs no decoding. */
  readonly required: Buffer | undefined;
  /** Whether one line matches. */
  readonly matchesLine: (line: string) => boolean;
  /**
   * Finds candidates over a whole file's text, with `g` and `m`: each matching line has one. Absent: go line by line.
   */
  readonly overText: RegExp | undefined;
  readonly isRegex: boolean;
}

/** Compiles an expression of RE2, which runs in linear time. */
export type CompileRe2 = (expression: string) => { test(line: string): boolean };

/**
 * @param refusesNested applies the contract's rule against catastrophic patterns, which also refuses safe ones
 * @throws WorkspaceError `invalid` with the contract's texts
 */
export function checkPattern(search: LinePattern, limits: Limits, refusesNested: boolean): void {
  if (search.pattern === '') throw new WorkspaceError('invalid', 'Pattern must not be empty');
  if (!search.isRegex) return;
  if (search.pattern.length > limits.grepPatternChars) {
    throw new WorkspaceError(
      'invalid',
      `Regex pattern exceeds ${limits.grepPatternChars} chars; shorten it or use literal mode (is_regex=False).`,
    );
  }
  if (refusesNested && nestsQuantifiers(search.pattern)) {
    throw new WorkspaceError(
      'invalid',
      'Regex pattern rejected: nested unbounded quantifier (catastrophic-backtracking risk). Rewrite without an outer ' +
        '+/* on a group that already contains +, *, {n,}, or |, or use literal mode (is_regex=False).',
    );
  }
  try {
    compile(toPatternSource(search));
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : 'unknown reason';
    throw new WorkspaceError('invalid', `Invalid regex pattern: ${reason}`);
  }
}

/** Compiles a checked pattern. `compileRe2` is needed if `chooseEngine` chooses RE2. */
export function createMatcher(search: LinePattern, compileRe2?: CompileRe2): LineMatcher {
  const { pattern, isRegex } = search;
  if (!isRegex && !search.caseInsensitive) {
    return {
      required: Buffer.from(pattern, 'utf8'),
      matchesLine: (line) => line.includes(pattern),
      overText: undefined,
      isRegex,
    };
  }
  const written = toPatternSource(search);
  const literal = isRegex ? requiredLiteral(written.source) : undefined;
  const required = literal === undefined || written.flags.includes('i') ? undefined : Buffer.from(literal, 'utf8');
  const engine = chooseEngine(search);
  if (engine.kind === 're2') {
    const expression = (compileRe2 as CompileRe2)(engine.expression);
    const overText = literal === undefined ? undefined : compile({ ...written, source: escapeLiteral(literal) }, 'gm');
    return { required, matchesLine: (line) => expression.test(line), overText, isRegex };
  }
  const line = compile(engine.source);
  return {
    required,
    matchesLine: (text) => line.test(text),
    // Looking around may look across a line end, so such a pattern is only ever shown single lines.
    overText: /\(\?<?[=!]/.test(pattern) ? undefined : compile(engine.source, 'gm'),
    isRegex,
  };
}

function compile({ source, flags }: PatternSource, extra = ''): RegExp {
  return new RegExp(source, flags + extra);
}
