import { enterDirectory } from '../enter-directory.ts';
import type { Call } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { parseOptions } from '../options.ts';
import { otherProgram } from '../other-program.ts';
import { checkPackage } from './check-package.ts';

const NPM_VALUES =
  '-C -w --prefix --dir --cwd --cache --workspace --filter --registry --userconfig --globalconfig --pack-destination --location --store-dir --virtual-store-dir --modules-dir --modules-folder --global-dir --global-folder --cache-folder --otp --tag --call -c --package --script-shell --loglevel --init-author-name --install-strategy';

/** Handles npm, pnpm, yarn and corepack. */
export function runNpm(call: Call): undefined {
  const { args, state, input, reader, name } = call;
  const { operands, values, has } = parseOptions(args, { values: NPM_VALUES, flags: '--global' });
  const verb = operands[0]?.value ?? '';
  const own = state.copy();
  for (const directory of values('--prefix', '--dir', '--cwd', '-C')) {
    if (!/^\.?\/?$|^\uE004\/?$/.test(directory.value)) reader.write(state, directory);
    own.cwds = own.cwds.map((cwd) => enterDirectory(state, cwd, directory.value));
  }
  for (const file of values(
    '--cache',
    '--pack-destination',
    '--store-dir',
    '--virtual-store-dir',
    '--modules-dir',
    '--modules-folder',
    '--global-dir',
    '--cache-folder',
  ))
    reader.write(own, file);
  if (values('--script-shell', '--userconfig', '--globalconfig').length > 0)
    reader.undecidable('An option decides what npm runs or where it writes.');
  const isGlobal =
    has('-g', '--global') ||
    values('--location').some((one) => one.value === 'global') ||
    (name === 'yarn' && verb === 'global');
  const changes =
    /^(?:i|in|ins|install|add|ci|un|uninstall|remove|rm|r|up|update|upgrade|link|ln|unlink|dedupe|prune|rebuild|setup|env|self-update|global|create|set|enable|use|prepare)$/.test(
      verb,
    );
  if (isGlobal && (changes || verb === '')) reader.undecidable(`'${name} ${verb}' installs for every project.`);
  if (!isGlobal && /^(?:link|ln|setup|env|self-update)$/.test(verb))
    reader.undecidable(`'${name} ${verb}' writes outside the project.`);
  if (name === 'corepack' && /^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg)(?:@|$)/.test(verb)) {
    reader.runWords(operands, own, input);
    return;
  }
  if (name === 'corepack' && /^(?:enable|disable|install|prepare)$/.test(verb))
    reader.undecidable('corepack changes the package managers of the machine.');
  if (verb === 'config' || verb === 'set' || verb === 'c') {
    const sets = verb === 'set' || /^(?:set|delete|rm|edit)$/.test(operands[1]?.value ?? '');
    if (sets && !values('--location').some((one) => one.value === 'project'))
      reader.write(state, { value: '\uE003/.npmrc', written: `${name} config` });
  }
  if (/^(?:login|adduser|logout|token)$/.test(verb))
    reader.write(state, { value: '\uE003/.npmrc', written: `${name} ${verb}` });
  if (/^(?:exec|x|dlx)$/.test(verb)) {
    for (const text of values('-c', '--call')) reader.runText([text.value], own.copy());
    const at = args.findIndex((arg) => arg.value === verb);
    const rest = args.slice(at + 1);
    const { operands: inner } = parseOptions(rest, {
      values: '-p --package -c --call -w --workspace',
      stopsAtOperand: true,
    });
    const words = inner.filter((word, index) => !(index === 0 && word.value === '--'));
    for (const spec of [words[0], ...parseOptions(rest, { values: '-p --package' }).values('-p', '--package')])
      checkPackage(spec, reader);
    if (words.length > 0) reader.runWords(words, own, input);
    return;
  }
  // `pnpm tsc …` and `yarn tsc …` run an installed package; a script of the project may have the same name.
  if (
    (name === 'pnpm' || name === 'yarn') &&
    /^(?:rimraf|shx|prettier|eslint|tsc|del-cli|cpx|ncp|mkdirp|biome|husky|husky-init|lefthook|simple-git-hooks)$/.test(
      verb,
    )
  )
    reader.runWords(operands, own, input);
  else {
    const given = { ...call, args: args.filter((arg) => !/^--?(?:prefix|dir|cwd|cache)/.test(arg.value)) };
    otherProgram(given);
    // Arguments of a script of the project.
    const dashes = args.findIndex((arg) => arg.value === '--');
    if (/^(?:run|run-script|test|t|start|create|init)$/.test(verb))
      givePaths({ ...given, name: `${name} ${verb}`, args: operands.slice(1) });
    else if (dashes !== -1) givePaths({ ...given, args: args.slice(dashes + 1) });
  }
}
