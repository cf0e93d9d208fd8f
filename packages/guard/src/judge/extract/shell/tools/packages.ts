import type { Call, Handler } from '../call.ts';
import { givePaths } from '../given-paths.ts';
import { field } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { GLOBAL_HANDLERS, PINNED } from './global-installs.ts';
import { runNpm } from './npm.ts';
import { runPip } from './python-packages.ts';

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
