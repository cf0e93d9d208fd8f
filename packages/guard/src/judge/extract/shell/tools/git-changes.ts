import type { Call } from '../call.ts';
import { ANY, changeDirectory, type Field, field } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { checkConfig } from './git-config.ts';

/** Records what a subcommand writes and runs that changes its repository. */
export function changeGit(verb: string, call: Call): void {
  const { args, state, reader } = call;
  switch (verb) {
    case 'clone': {
      const { operands, values, has } = parseOptions(args, {
        values:
          '-b -o -j -c -u --branch --depth --origin --reference --separate-git-dir --template --jobs --config --filter --shallow-since --recurse-submodules --bundle-uri --upload-pack',
      });
      for (const setting of values('-c', '--config')) checkConfig(setting.value, reader);
      noteSeparate(values('--separate-git-dir'), reader);
      for (const file of values('--separate-git-dir')) reader.write(state, file);
      for (const file of values('--template', '-u', '--upload-pack'))
        reader.undecidable(`'${file.written}' may bring code that git runs.`);
      const isBare = has('--bare', '--mirror');
      const name = /([^/:]+?)(?:\.git)?\/*$/.exec(operands[0]?.value ?? '')?.[1] ?? 'clone';
      const to = operands[1] ?? (operands[0] && { value: isBare ? `${name}.git` : name, written: operands[0].written });
      if (to !== undefined && isBare) makeRepository(to, call);
      else if (to !== undefined) reader.write(state, to, 'fills');
      return;
    }
    case 'init-db':
    case 'init': {
      const { operands, values, has } = parseOptions(args, {
        values: '-b --initial-branch --template --separate-git-dir --object-format --ref-format',
      });
      if (has('--bare')) makeRepository(operands[0] ?? field('.', 'git init --bare'), call);
      noteSeparate(values('--separate-git-dir'), reader);
      for (const file of [...operands, ...values('--separate-git-dir')])
        if (file.value !== '.') reader.write(state, file);
      for (const file of values('--template')) reader.undecidable(`'${file.written}' may bring code that git runs.`);
      if (operands.length === 0 && state.cwds.some((cwd) => cwd !== '')) reader.write(state, field('.', 'git init'));
      return;
    }
    case 'worktree': {
      const { operands } = parseOptions(args.slice(1), { values: '-b -B --reason --expire' });
      const kind = args[0]?.value;
      if (kind === 'add' && operands[0] !== undefined) reader.write(state, operands[0]);
      if (kind === 'move' || kind === 'remove') for (const file of operands) reader.write(state, file);
      return;
    }
    case 'submodule': {
      const { operands } = parseOptions(args.slice(1), { values: '-b --name --reference --depth' });
      if (args[0]?.value === 'add' && operands[1] !== undefined) reader.write(state, operands[1]);
      if (args[0]?.value === 'foreach') reader.runText([operands.map((one) => one.value).join(' ')], state.copy());
      return;
    }
    case 'maintenance':
      if (/^(?:start|stop|register|unregister)$/.test(args[0]?.value ?? ''))
        reader.undecidable('git changes its own settings and those of the machine.');
      return;
    case 'lfs':
      if (/^(?:install|uninstall)$/.test(args[0]?.value ?? '') && !args.some((arg) => arg.value === '--local'))
        reader.undecidable('git changes its own settings.');
      return;
    case 'bundle':
    case 'bisect':
    case 'rebase':
    case 'filter-branch':
    case 'apply':
    case 'am':
      return changeMore(verb, call);
    case 'mv':
    case 'rm':
      if (args.some((arg) => arg.value === '--cached')) return;
      // `git rm` and `git mv` act like the programs of that name, but in the whole tree only on tracked files.
      reader.runWords(
        [
          field(verb),
          ...args.filter(({ value }) => !/^(?:\.\/?|:\/|:|\*|\uE002\*|--cached)$/.test(value) && !value.includes(ANY)),
        ],
        state.copy(),
        undefined,
      );
      return;
    case 'clean':
    case 'restore':
    case 'checkout': {
      const { operands } = parseOptions(args, {
        values: '-s --source -b -B -e --orphan --pathspec-from-file --conflict',
      });
      const dashes = args.findIndex((arg) => arg.value === '--');
      const paths = dashes === -1 ? operands : args.slice(dashes + 1);
      for (const file of paths) {
        const isPath = verb !== 'checkout' || dashes !== -1 || /^(?:\.{1,2}\/|[/~\uE003])/.test(file.value);
        if (isPath && !/^(?:\.\/?|:\/|:|\*)$/.test(file.value) && !file.value.includes(ANY)) reader.write(state, file);
      }
      return;
    }
    default:
  }
}

function changeMore(verb: string, { args, state, reader }: Call): void {
  const { operands, values, has } = parseOptions(args, {
    values:
      '-o -x --exec --output --output-directory --prefix --directory --export-marks -d --tree-filter --index-filter --msg-filter --env-filter --remote --format --add-file',
  });
  if (verb === 'bundle' && operands[0]?.value === 'create' && operands[1] !== undefined)
    reader.write(state, operands[1]);
  if (verb === 'rebase') for (const text of values('-x', '--exec')) reader.runText([text.value], state.copy());
  if (verb === 'bisect' && args[0]?.value === 'run') reader.runWords(args.slice(1), state.copy(), undefined);
  if (verb === 'filter-branch') reader.undecidable('git filter-branch runs the filters it is given.');
  if (verb === 'apply' || verb === 'am') {
    for (const file of values('--directory')) reader.write(state, file);
    if (has('--unsafe-paths')) reader.undecidable('git apply may write outside the work tree.');
  }
}

/** Records that the directory becomes a repository without a work tree, with the parts in it. */
export function makeRepository(to: Field, { state, reader }: Pick<Call, 'state' | 'reader'>): void {
  reader.write(state, to, 'repository');
  for (const cwd of state.cwds)
    for (const part of ['objects', 'refs']) state.made.add(changeDirectory(changeDirectory(cwd, to.value), part));
}

/** Reports a repository under another name: the rules for `.git` would not recognise its settings and hooks. */
function noteSeparate(places: readonly unknown[], reader: Call['reader']): void {
  if (places.length > 0) reader.undecidable('The repository is put under another name.');
}
