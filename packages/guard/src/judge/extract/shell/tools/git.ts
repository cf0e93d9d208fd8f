import type { Call, Handler } from '../call.ts';
import { ANY, ATOM, changeDirectory, type Field, field, ROOT, TOP } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { giveDirectory, givePaths } from '../given-paths.ts';
import { otherProgram } from '../other-program.ts';
import { listedByGit } from './names.ts';
import { changesRepository, noteGitOutputs, setsConfig } from './git-outputs.ts';
import { noteHooks } from './hook-installers.ts';

export const GIT_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['git', runGit],
  ['gh', runGh],
  ['hub', runGit],
  ['hg', runOther],
  ['chg', runOther],
  ['jj', runOther],
  ['scalar', runOther],
]);

const GLOBAL_VALUES = '-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source';

/** Subcommands that change nothing, or only fetch into the repository. */
const READS =
  /^(?:status|log|diff|show|blame|annotate|branch|remote|tag|describe|rev-parse|rev-list|ls-files|ls-tree|ls-remote|cat-file|grep|shortlog|whatchanged|reflog|merge-base|name-rev|var|help|version|for-each-ref|show-ref|symbolic-ref|check-ignore|check-attr|count-objects|fsck|diff-tree|diff-index|diff-files|range-diff|cherry|stripspace|config|verify-commit|verify-tag|show-branch|get-tar-commit-id|interpret-trailers|difftool|hash-object|patch-id|column)$/;

/** Forms of writing subcommands that only list. */
const LISTED =
  /^(?:stash (?:list|show)|worktree list|submodule (?:status|summary)|notes (?:list|show)|bundle (?:verify|list-heads)|lfs (?:ls-files|status|env|logs))$/;

/** Subcommands whose operands are revisions or files in the work tree. Any other may be a separate program. */
const KNOWN =
  /^(?:add|am|apply|archive|backfill|bisect|bugreport|bundle|checkout|checkout-index|cherry-pick|clean|clone|commit|commit-graph|commit-tree|diagnose|fast-export|fast-import|fetch|fetch-pack|filter-branch|format-patch|gc|index-pack|init|init-db|lfs|ls-remote|mailinfo|mailsplit|maintenance|merge|merge-file|merge-tree|mktag|mktree|multi-pack-index|mv|notes|pack-objects|pack-refs|prune|prune-packed|pull|push|read-tree|rebase|receive-pack|repack|replace|replay|request-pull|rerere|reset|restore|revert|rm|send-pack|sparse-checkout|stash|stage|submodule|switch|unpack-file|unpack-objects|update-index|update-ref|update-server-info|worktree|write-tree)$/;

/** Settings of `-c` and `git config` that change only the display or the author. */
const HARMLESS_CONFIG =
  /^(?:user\.|author\.|committer\.|color\.|advice\.|init\.defaultBranch|core\.(?:quotepath|autocrlf|eol|safecrlf|filemode|ignorecase|longpaths|abbrev|precomposeunicode|compression|commentchar|symlinks)|commit\.gpgsign|tag\.gpgsign|gpg\.format|diff\.(?:algorithm|renames|context|noprefix|mnemonicprefix|colormoved|renamelimit|wserrorhighlight)|log\.|merge\.(?:conflictstyle|ff|renames|stat)|pull\.|push\.(?:default|autosetupremote|followtags)|rebase\.(?:autostash|autosquash|abbreviatecommands|updaterefs)|fetch\.|branch\.|remote\.[^.]+\.(?:url|fetch|pushurl)|status\.|column\.|help\.(?:autocorrect|format)|http\.(?:version|postbuffer|lowspeed\w+|extraheader|sslverify|followredirects)|safe\.directory|gc\.auto|feature\.|index\.|pack\.|protocol\.version|rerere\.|submodule\.recurse|versionsort\.|tag\.sort|interactive\.singlekey|maintenance\.auto)/i;

function runGit(call: Call): readonly string[] | undefined {
  const { args, state, reader } = call;
  const { options, operands } = parseOptions(args, { values: GLOBAL_VALUES, stopsAtOperand: true });
  const [command, ...rest] = operands;
  const own = state.copy();
  own.made = state.made;
  const places: Field[] = [];
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (name === '-C') {
      own.cwds = own.cwds.map((cwd) => (value.value.includes(ANY) ? ANY : changeDirectory(cwd, value.value)));
      if (value.value !== '.') places.push(value);
    } else if (name === '--git-dir' || name === '--work-tree') places.push(value);
    else if (name === '-c') checkConfig(value.value, reader);
    else if (name === '--exec-path' || name === '--config-env')
      reader.undecidable(`'git ${name}' decides what git runs.`);
  }
  const verb = command?.value ?? 'help';
  if (verb.includes(ANY)) reader.undecidable('It is not known what git does.');
  const inner: Call = { ...call, args: rest, state: own };
  noteGitOutputs(verb, inner);
  // `git lfs install`: a separate program behind git's name.
  noteHooks(`git-${verb}`, inner);
  if (READS.test(verb) && !changesRepository(verb, inner)) {
    const told = readGit(verb, inner);
    return (places.length === 0 ? listedByGit(verb, rest) : undefined) ?? told;
  }
  if (LISTED.test(`${verb} ${rest[0]?.value ?? ''}`)) return [ANY];
  // Every other subcommand changes its repository; the repository of the root belongs to the project.
  for (const place of places) reader.write(state, place);
  // `git --git-dir x init` creates the repository in `x` itself.
  if (/^init(?:-db)?$/.test(verb))
    for (const { name, value } of options)
      if (name === '--git-dir' && value !== undefined) makeRepository(value, { state, reader });
  if (places.length === 0 && state.cwds.some((cwd) => cwd !== '' && cwd !== TOP)) {
    for (const cwd of state.cwds) {
      const at = state.copy();
      at.cwds = [cwd];
      if (cwd !== '' && cwd !== TOP && verb !== 'clone' && !verb.startsWith('init'))
        reader.write(at, field('.', 'git'));
    }
  }
  if (READS.test(verb)) return readGit(verb, inner);
  changeGit(verb, inner);
  if (!KNOWN.test(verb)) givePaths({ ...inner, name: `git ${verb}` });
  return undefined;
}

function checkConfig(setting: string, reader: Call['reader']): void {
  const [key = '', value = ''] = setting.split(/=(.*)/s);
  const isHarmless =
    HARMLESS_CONFIG.test(key) ||
    (/^(?:core\.pager|pager\.\w+|core\.editor|sequence\.editor)$/i.test(key) &&
      /^(?:cat|true|:|less|false|vim|vi|nano|)$/.test(value)) ||
    (/^credential\.helper$/i.test(key) && /^(?:cache|store|)$/.test(value)) ||
    (/^core\.(?:hookspath|fsmonitor)$/i.test(key) && /^(?:\/dev\/null|false|true|)$/.test(value));
  if (!isHarmless) reader.undecidable(`The setting '${key}' may decide what git runs or where it writes.`);
}

function readGit(verb: string, { args, state, reader }: Call): readonly string[] {
  const parsed = parseOptions(args, { values: '--file -f --blob --extcmd -x' });
  const { operands, values, has } = parsed;
  if (verb === 'config') {
    const isGlobal = has('--global', '--system');
    const sets = setsConfig(parsed);
    const [key, value] = operands[0]?.value === 'set' ? operands.slice(1) : operands;
    if (sets && isGlobal)
      reader.write(
        state,
        has('--system')
          ? field('/etc/gitconfig', 'git config --system')
          : { value: '\uE003/.gitconfig', written: 'git config --global' },
      );
    if (sets) for (const file of values('--file', '-f')) reader.write(state, file);
    if (has('--edit', '-e') || operands[0]?.value === 'edit')
      reader.write(state, field(`${ROOT}/.git/config`, 'git config --edit'));
    if (sets && key !== undefined) checkConfig(`${key.value}=${value?.value ?? ''}`, reader);
  }
  if (verb === 'difftool') for (const text of values('-x', '--extcmd')) reader.runText([text.value], state.copy());
  if (verb === 'grep' && (has('-O', '--open-files-in-pager') || args.some((arg) => arg.value.startsWith('-O'))))
    reader.undecidable('git grep opens the found files in a program.');
  if (verb === 'rev-parse') {
    if (has('--show-toplevel')) return [TOP];
    if (has('--git-dir', '--absolute-git-dir', '--git-common-dir')) return [`${TOP}/.git`];
    return has('--show-cdup', '--show-prefix', '--git-path', '--local-env-vars') ? [ANY] : [ATOM];
  }
  if (verb === 'branch' && has('--show-current')) return [ATOM];
  if (verb === 'symbolic-ref' && has('--short')) return [ATOM];
  if (/^(?:describe|merge-base|hash-object)$/.test(verb)) return [ATOM];
  if (
    verb === 'log' &&
    args.some((arg) => /^--(?:format|pretty)=(?:format:)?%[hH]$/.test(arg.value)) &&
    args.some((arg) => /^-(?:n ?)?1$/.test(arg.value))
  )
    return [ATOM];
  return [ANY];
}

function changeGit(verb: string, call: Call): void {
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

/** Mercurial, Jujutsu and Scalar: a setting may name a program. */
function runOther(call: Call): undefined {
  const { name, args, reader } = call;
  const words = args.map((arg) => arg.value);
  const sets =
    words.some((word) => /^--config(?:-file|-toml)?(?:=|$)/.test(word)) ||
    (name === 'jj' && /^(?:config|c)$/.test(words[0] ?? '') && words.some((word) => /^(?:set|s|edit|e)$/.test(word))) ||
    (name === 'scalar' && words.some((word) => /^(?:register|unregister|reconfigure|delete|run)$/.test(word)));
  if (sets) reader.undecidable(`A setting of ${name} may name a program.`);
  otherProgram(call);
  givePaths(call);
  giveDirectory(call);
}

function runGh(call: Call): undefined {
  const { args, state, reader } = call;
  const [group, verb] = args.map((arg) => arg.value);
  const { operands, values } = parseOptions(args, {
    values:
      '-R -D -O -o -p -n -b -t -F -l -a -m -B -H --repo --dir --output --pattern --body --title --jq --json --template -q --limit --state --label --body-file --base --head --method -X -f --field --raw-field --input --cache --clobber-to',
  });
  const [, , first, second] = operands;
  if ((group === 'release' || group === 'run') && verb === 'download')
    for (const file of values('-D', '-O', '--dir', '--output')) reader.write(state, file);
  if ((group === 'repo' || group === 'gist') && verb === 'clone') {
    const isBare = args.some((arg) => /^--(?:bare|mirror)$/.test(arg.value));
    const name = first?.value.split('/').at(-1) ?? 'clone';
    const given = second?.value.startsWith('-') === true ? undefined : second;
    const to = given ?? (first && { value: isBare ? `${name}.git` : name, written: first.written });
    if (to !== undefined && isBare) makeRepository(to, call);
    else if (to !== undefined) reader.write(state, to, 'fills');
  }
  if (group === 'extension' && (verb === 'install' || verb === 'exec'))
    reader.undecidable('An extension of gh is code that runs outside the project.');
  if ((group === 'alias' || group === 'config') && verb === 'set')
    reader.undecidable(`'gh ${group} set' changes the settings of gh.`);
  if (/^(?:codespace|cs|attestation|skill|preview)$/.test(group ?? '')) givePaths(call);
  if (group === 'auth' && /^(?:setup-git|login|logout|refresh)$/.test(verb ?? ''))
    reader.undecidable('gh changes its own and git’s settings.');
}

/** Records that the directory becomes a repository without a work tree, with the parts in it. */
function makeRepository(to: Field, { state, reader }: Pick<Call, 'state' | 'reader'>): void {
  reader.write(state, to, 'repository');
  for (const cwd of state.cwds)
    for (const part of ['objects', 'refs']) state.made.add(changeDirectory(changeDirectory(cwd, to.value), part));
}

/** Reports a repository under another name: the rules for `.git` would not recognise its settings and hooks. */
function noteSeparate(places: readonly unknown[], reader: Call['reader']): void {
  if (places.length > 0) reader.undecidable('The repository is put under another name.');
}
