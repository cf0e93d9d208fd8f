import { enterDirectory } from '../enter-directory.ts';
import type { Call, Handler } from '../call.ts';
import { ANY, ATOM, type Field, field, ROOT, TOP } from '../marks.ts';
import { parseOptions } from '../options.ts';
import { giveDirectory, givePaths } from '../given-paths.ts';
import { otherProgram } from '../other-program.ts';
import { listedByGit } from './names.ts';
import { changesRepository, noteGitOutputs, setsConfig } from './git-outputs.ts';
import { noteHooks } from './hook-installers.ts';
import { checkConfig } from './git-config.ts';
import { changeGit, makeRepository } from './git-changes.ts';

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
      own.cwds = own.cwds.map((cwd) => (value.value.includes(ANY) ? ANY : enterDirectory(own, cwd, value.value)));
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
  if (!KNOWN.test(verb)) {
    reader.undecidable(`It is not known what 'git ${verb}' runs.`);
    givePaths({ ...inner, name: `git ${verb}` });
  }
  return undefined;
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
