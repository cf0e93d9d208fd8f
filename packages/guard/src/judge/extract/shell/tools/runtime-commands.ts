import { enterDirectory } from '../enter-directory.ts';
import type { Call } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { ANY } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { checkPackage } from './check-package.ts';
import { NODE } from './languages.ts';
import { readCode } from './read-code.ts';

/** Reads the commands of `bun` and `deno`. @returns undefined if the arguments name a script. */
export function runtimeCommand(call: Call): readonly string[] | undefined {
  const { args, state, reader, name } = call;
  const [verb, ...rest] = args;
  if (verb?.value === 'eval' && name === 'deno') {
    for (const code of rest) if (!code.value.startsWith('-')) readCode(code.value, NODE, call);
    return [ANY];
  }
  if (verb !== undefined && /^(?:x)$/.test(verb.value) && name === 'bun') {
    checkPackage(
      rest.find((one) => !one.value.startsWith('-')),
      reader,
    );
    reader.runWords(rest, state.copy(), undefined);
    return [ANY];
  }
  if (verb !== undefined && /^(?:run|serve|test|bench|x|exec|cache|install)$/.test(verb.value)) {
    if (rest.some((one) => /^(?:https?|data|blob):/.test(one.value)))
      reader.undecidable('A program is loaded from a URL.');
    if (verb.value === 'run' && rest.some((one) => one.value === '-'))
      for (const code of call.input ?? [ANY]) readCode(code, NODE, call);
    if (verb.value === 'run') givePaths({ ...call, args: rest });
  }
  if (
    verb !== undefined &&
    /^(?:add|install|i|remove|rm|update|link|unlink|create|init|pm|upgrade|outdated|audit|publish|patch|run|test|build|task|check|lint|fmt|cache|compile|bench|doc)$/.test(
      verb.value,
    )
  ) {
    const { values, has } = parseOptions(rest, {
      values: '--cwd --outdir --outfile --output -o --root --out-dir --global-dir --coverage-dir --reporter-outfile',
    });
    const own = state.copy();
    for (const directory of values('--cwd', '--root')) {
      reader.write(state, directory);
      own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, directory.value));
    }
    for (const file of values('--outdir', '--outfile', '--output', '-o', '--coverage-dir', '--reporter-outfile'))
      reader.write(own, file);
    if (
      (has('-g', '--global') && !/^(?:pm|run|test)$/.test(verb.value)) ||
      (name === 'deno' && verb.value === 'install') ||
      verb.value === 'link' ||
      verb.value === 'upgrade'
    ) {
      reader.undecidable(`'${name} ${verb.value}' writes outside the project.`);
    }
    return [ANY];
  }
  return undefined;
}
