import type { Call, Handler } from '../call.ts';
import { ANY, changeDirectory, type Field, field } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { givePaths } from '../given-paths.ts';
import { otherProgram } from '../other-program.ts';
import { GLOBAL_HANDLERS, PINNED } from './global-installs.ts';

/** Package managers: the directories they install into, and the commands they run. */
export const PACKAGE_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...['npm', 'pnpm', 'yarn', 'corepack'].map((name): [string, Handler] => [name, runNpm]),
  ...['pip', 'pipenv', 'poetry', 'pdm', 'uv', 'pipx', 'hatch', 'rye', 'conda', 'mamba', 'virtualenv'].map(
    (name): [string, Handler] => [name, runPip],
  ),
  ['cargo', runCargo],
  ['go', runGo],
  ...GLOBAL_HANDLERS,
  ['bundle', runBundle],
  ['composer', runBundle],
  ...[
    'apt',
    'apt-get',
    'aptitude',
    'dpkg',
    'yum',
    'dnf',
    'rpm',
    'apk',
    'pacman',
    'zypper',
    'brew',
    'port',
    'snap',
    'flatpak',
    'choco',
    'winget',
    'scoop',
    'nix-env',
    'nix',
    'emerge',
    'asdf',
    'mise',
    'nvm',
    'rustup',
    'volta',
    'fnm',
    'sdk',
  ].map((name): [string, Handler] => [name, system]),
  ...[
    'systemctl',
    'update-rc.d',
    'chkconfig',
    'rc-update',
    'scutil',
    'systemsetup',
    'networksetup',
    'nvram',
    'dscl',
    'tmutil',
    'swapon',
    'service',
    'launchctl',
    'useradd',
    'usermod',
    'userdel',
    'groupadd',
    'passwd',
    'chpasswd',
    'visudo',
    'update-alternatives',
    'ldconfig',
    'iptables',
    'ufw',
    'modprobe',
    'insmod',
    'reboot',
    'shutdown',
    'defaults',
    'chsh',
    'hostnamectl',
    'timedatectl',
    'loginctl',
    'reg',
    'schtasks',
    'sc',
    'netsh',
    'setx',
  ].map((name): [string, Handler] => [name, system]),
]);

/** A package that is not a name in a registry: a repository, a URL, an archive. */
const ELSEWHERE =
  /^(?:https?|git|git\+\w+|ssh|file|github|gitlab|bitbucket|gist|data):|^(?!@)[\w.-]+\/[\w.-]+(?:#.*)?$|^git@|\.t(?:ar\.)?gz$/i;

/** A package that runs at once must come from a registry or from the project; any other is like `curl … | sh`. */
export function checkPackage(spec: Field | undefined, reader: Call['reader']): void {
  const text = spec?.value.replace(/^@?[\w./-]+@(?=\w+:)/, '') ?? '';
  if (ELSEWHERE.test(text) || text.includes(ANY))
    reader.undecidable(`It is not known what '${spec?.written.slice(0, 80)}' runs.`);
}

const NPM_VALUES =
  '-C -w --prefix --dir --cwd --cache --workspace --filter --registry --userconfig --globalconfig --pack-destination --location --store-dir --virtual-store-dir --modules-dir --modules-folder --global-dir --global-folder --cache-folder --otp --tag --call -c --package --script-shell --loglevel --init-author-name --install-strategy';

function runNpm(call: Call): undefined {
  const { args, state, input, reader, name } = call;
  const { operands, values, has } = parseOptions(args, { values: NPM_VALUES, flags: '--global' });
  const verb = operands[0]?.value ?? '';
  const own = state.copy();
  for (const directory of values('--prefix', '--dir', '--cwd', '-C')) {
    if (!/^\.?\/?$|^\uE004\/?$/.test(directory.value)) reader.write(state, directory);
    own.cwds = own.cwds.map((cwd) => changeDirectory(cwd, directory.value));
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

function runPip(call: Call): undefined {
  const { args, state, input, reader, name } = call;
  const { operands, values, has } = parseOptions(args, {
    values:
      '-t -r -c -e -d -w -p -i -n -C -f --target --prefix --root --requirement --constraint --editable --dest --wheel-dir --log --cache-dir --src --index-url --extra-index-url --find-links --python --report --directory --project --path --name --build --output-file -o --tool-dir --install-dir --group --extra --with --from --file --with-requirements',
  });
  const verb = operands[0]?.value ?? '';
  for (const file of values(
    '-t',
    '--target',
    '--prefix',
    '--root',
    '-d',
    '--dest',
    '-w',
    '--wheel-dir',
    '--log',
    '--src',
    '--report',
    '--directory',
    '--output-file',
    '-o',
    '--tool-dir',
    '--install-dir',
  ))
    reader.write(state, file);
  for (const file of values('-r', '--requirement')) reader.read(state, file);
  if (name === 'uv' && verb === 'pip')
    return runPip({ ...call, name: 'pip', args: args.slice(args.findIndex((arg) => arg.value === 'pip') + 1) });
  if (name === 'virtualenv') for (const file of operands) reader.write(state, file);
  if (name === 'uv' && verb === 'venv') for (const file of operands.slice(1)) reader.write(state, file);
  if (/^(?:conda|mamba)$/.test(name)) {
    for (const file of values('-p', '--prefix')) reader.write(state, file);
    if (/^(?:create|install|update|remove|config|init)$/.test(verb) && values('-p', '--prefix').length === 0)
      reader.undecidable(`'${name} ${verb}' changes environments outside the project.`);
  }
  if (has('--user')) reader.write(state, { value: '\uE003/.local', written: '--user' });
  if (has('--break-system-packages', '--system')) reader.undecidable('Packages of the system are changed.');
  if (
    name === 'pipx' ||
    (name === 'uv' && /^(?:tool|self)$/.test(verb) && operands[1]?.value !== 'run' && operands[1]?.value !== 'list')
  ) {
    if (!/^(?:list|run|--version)$/.test(verb)) reader.undecidable(`'${name} ${verb}' installs for every project.`);
  }
  if (
    (name === 'pip' || name === 'poetry') &&
    verb === 'config' &&
    operands.length > 2 &&
    !/^(?:list|get|debug)$/.test(operands[1]?.value ?? '') &&
    !has('--local', '--site', '--list')
  )
    reader.undecidable(`'${name} config' changes settings outside the project.`);
  if (verb === 'run' && /^(?:pipenv|poetry|pdm|uv|hatch|rye|conda|mamba)$/.test(name)) {
    const at = args.findIndex((arg) => arg.value === 'run');
    const { operands: inner } = parseOptions(args.slice(at + 1), {
      values:
        '-p --python --with --extra --group --project --directory --env-file --package -n --name --with-requirements --with-editable --index-url --only-group',
      stopsAtOperand: true,
    });
    if (name === 'uv' || name === 'pipx') for (const spec of values('--from', '--with')) checkPackage(spec, reader);
    if (inner.length > 0) reader.runWords(inner, state.copy(), input);
  }
  if (name === 'pipx' && verb === 'run') {
    checkPackage(operands[1], reader);
    givePaths({ ...call, args: operands.slice(2) });
    reader.runWords(operands.slice(1), state.copy(), input);
  }
  // `uv tool run X` is `uvx X`.
  if (name === 'uv' && verb === 'tool' && operands[1]?.value === 'run') {
    const { operands: inner } = parseOptions(args.slice(args.findIndex((arg) => arg.value === 'run') + 1), {
      values: '--from --with -p --python',
      stopsAtOperand: true,
    });
    for (const spec of [inner[0], ...values('--from', '--with')]) checkPackage(spec, reader);
    if (inner.length > 0) reader.runWords(inner, state.copy(), input);
  }
}

function runCargo(call: Call): undefined {
  const { args, state, reader } = call;
  const { operands, values } = parseOptions(args, {
    values:
      '-C -Z -p -j --target-dir --root --manifest-path --path --out-dir --artifact-dir --config --lockfile-path --features --bin --example --test --target --profile --package',
  });
  const verb = operands.find((operand) => !operand.value.startsWith('+'))?.value;
  for (const file of values('-C', '--target-dir', '--root', '--out-dir', '--artifact-dir')) reader.write(state, file);
  for (const setting of values('--config'))
    if (/runner|rustc|linker|target-dir|wrapper/.test(setting.value))
      reader.undecidable('A setting decides what cargo runs.');
  if (/^(?:install|uninstall)$/.test(verb ?? '') && values('--root').length === 0)
    reader.undecidable('cargo installs for every project.');
  if (/^(?:login|logout|owner)$/.test(verb ?? ''))
    reader.write(state, { value: '\uE003/.cargo/credentials.toml', written: 'cargo login' });
  if (/^(?:new|init)$/.test(verb ?? '')) for (const file of operands.slice(1)) reader.write(state, file);
  else if (verb === 'run' || verb === 'r') givePaths({ ...call, name: 'cargo run', args: operands.slice(1) });
}

function runGo(call: Call): undefined {
  const { args, state, reader } = call;
  const { operands, values } = parseOptions(args, {
    values:
      '-C -o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -pkgdir -exec -toolexec -ldflags -gcflags -run -bench -tags -mod -modfile -timeout -count -p -overlay -w',
    singleDash: true,
  });
  const verb = operands[0]?.value;
  for (const file of values(
    '-C',
    '-o',
    '-coverprofile',
    '-cpuprofile',
    '-memprofile',
    '-blockprofile',
    '-mutexprofile',
    '-trace',
    '-outputdir',
    '-pkgdir',
  ))
    reader.write(state, file);
  for (const text of values('-exec', '-toolexec')) reader.runText([text.value], state.copy());
  if (verb === 'run') givePaths({ ...call, name: 'go run', args: operands.slice(1) });
  if (verb === 'install') reader.undecidable('go installs for every project.');
  if (verb === 'env' && args.some((arg) => /^-[wu]$/.test(arg.value)))
    reader.undecidable("'go env -w' changes settings outside the project.");
}

function runBundle(call: Call): undefined {
  const { args, state, input, reader, name } = call;
  const { operands, values } = parseOptions(args, {
    values: '--path --gemfile --binstubs -d --working-dir --target-directory --standalone',
    stopsAtOperand: true,
  });
  const verb = operands[0]?.value;
  for (const file of [
    ...values('--path', '--binstubs', '-d', '--working-dir'),
    ...parseOptions(operands.slice(1), { values: '--path --binstubs' }).values('--path', '--binstubs'),
  ])
    reader.write(state, file);
  if (verb === 'exec') reader.runWords(operands.slice(1), state.copy(), input);
  else if (verb === 'global') reader.undecidable(`'${name} global' installs for every project.`);
  else if (verb === 'config' && operands.some((one) => one.value === '--global'))
    reader.write(state, { value: '\uE003/.bundle/config', written: 'bundle config' });
}

/** Handles package managers that change the machine, unless the command only queries. */
function system({ args, state, reader, name }: Call): undefined {
  const { operands, values, has } = parseOptions(args, { values: '--root -R --prefix --installroot -o --file' });
  const verb = operands[0]?.value ?? '';
  for (const file of values('--root', '-R', '--installroot')) reader.write(state, file);
  // The project's requirements are in a file of its own.
  const pinned = PINNED.get(`${name} ${verb}`);
  if (pinned !== undefined && !has('-g', '--global', '--home', '-u')) {
    for (const file of pinned) reader.write(state, field(file, `${name} ${verb}`));
    for (const file of parseOptions(args, { values: '-p --path -e --env' }).values('-p', '--path'))
      reader.write(state, file);
    return;
  }
  if (pinned !== undefined) reader.undecidable(`'${name} ${verb}' changes the settings of every project.`);
  if (/^(?:run|exec|shell)$/.test(verb))
    givePaths({ state, reader, name, args, command: field(name), input: undefined });
  const asks =
    /^(?:list|ls|show|search|info|status|policy|depends|rdepends|config|doctor|deps|uses|home|outdated|cat|is-active|is-enabled|list-units|list-unit-files|query|version|current|which|where|read|print|help|develop|build|flake|run|shell|eval|exec|use|files|whatprovides|provides|history|component|target|toolchain|showpkg|madison|)$/.test(
      verb,
    );
  const isQuery =
    /^(?:dpkg|rpm|pacman|nix-env)$/.test(name) &&
    args.some((arg) => /^-(?:[lLsSpqQ][a-zA-Z]*|-list|-status|-search|-query)$/.test(arg.value));
  if (name === 'pacman' && args.some((arg) => /^-S(?![si])/.test(arg.value)))
    reader.undecidable(`'${name}' changes the system.`);
  else if (!asks && !isQuery && !has('--version', '--help', '-h'))
    reader.undecidable(`'${name}${verb === '' ? '' : ` ${verb}`}' changes the system.`);
  if (name === 'launchctl' || name === 'schtasks') reader.write(state, field('/var/spool/cron', name));
}
