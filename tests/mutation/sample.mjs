// A checker for Stryker that leaves out mutants which are not in the sample. Stryker counts them as errors, outside the score.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';

/** The part of the mutants that is tested; `run.mjs` sets it. */
const share = Number(process.env.CROFT_MUTANT_SHARE ?? 1);

/** Whether a mutant is in the sample. Line numbers do not count, so that a change above keeps the sample. */
function isChosen({ fileName, mutatorName, replacement, location: { start, end } }) {
  const text = [relative(process.cwd(), fileName), mutatorName, replacement, start.column, end.column].join('\n');
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32 < share;
}

class SampleChecker {
  static inject = tokens(commonTokens.options);

  async init() {}

  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isChosen(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    );
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
