/** Variables that make programs run other code, or write elsewhere. */
const POWERFUL =
  /^(?:PATH|BASH_ENV|ENV|ZDOTDIR|CDPATH|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS0|PS1|PS2|PS4|LD_\w+|DYLD_\w+|GIT_\w+|PYTHONSTARTUP|PYTHONHOME|PYTHONUSERBASE|PYTHONINSPECT|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|FCEDIT|SHELL|BASH_FUNC_.*|TAR_OPTIONS|RSYNC_RSH|CVS_RSH|SSH_ASKPASS|SUDO_ASKPASS|HISTFILE|INPUTRC|GCONV_PATH|RUSTC_WRAPPER|RUSTC|CARGO_HOME|CARGO_TARGET_DIR|GOBIN|GOFLAGS|npm_config_\w+|NPM_CONFIG_\w+|PIP_TARGET|PIP_PREFIX|PIP_USER|MAKEFLAGS|CURL_HOME|WGETRC|DOCKER_HOST)$/i;

/** Variables of git that change only output and author names. */
const HARMLESS_GIT =
  /^GIT_(?:AUTHOR_(?:NAME|EMAIL|DATE)|COMMITTER_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|ADVICE|PAGER_IN_USE|LFS_SKIP_SMUDGE|NO_REPLACE_OBJECTS|LITERAL_PATHSPECS|ICASE_PATHSPECS|DEFAULT_HASH|REFLOG_ACTION|CEILING_DIRECTORIES|SEQUENCE_EDITOR|EDITOR|PAGER)$/;

/** Matches a PATH of only the project's own programs, those of package managers, and the previous `PATH`. */
const USUAL_PATH =
  /^(?!.*\.\.)(?:(?:(?:\uE004|\.)(?:\/[\w.-]+)*\/(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)|\uE003\/(?:\.cargo|\.local|go|\.bun|\.deno|\.volta)\/bin|\/usr(?:\/local)?\/s?bin|\/s?bin)(?::|$))+$/;

/** Programs that show text, or do nothing. */
const HARMLESS_PROGRAM =
  /^(?:|true|:|cat|less|more|vi|vim|nano|\/bin\/true|\/bin\/cat|\/usr\/bin\/true|less -[A-Za-z]+|(?:\/usr)?\/bin\/(?:ba|z)?sh)$/;

const HARMLESS_NODE =
  /^(?:\s*--(?:max-old-space-size|max-semi-space-size|no-warnings|no-deprecation|trace-warnings|trace-deprecation|trace-uncaught|enable-source-maps|experimental-vm-modules|experimental-strip-types|experimental-transform-types|openssl-legacy-provider|unhandled-rejections|stack-trace-limit|dns-result-order|disable-warning|throw-deprecation|preserve-symlinks|conditions|expose-gc|max-http-header-size|stack-size|use-system-ca|use-openssl-ca)(?:=[\w.:-]+)?)*\s*$/;

/**
 * @returns why setting a variable makes it unknown what runs; undefined if it does not. The lists name variables of
 * common programs; a variable that only a project's own program reads is not covered.
 */
export function checkAssignment(name: string, values: readonly string[]): string | undefined {
  if (!POWERFUL.test(name)) return undefined;
  const upper = name.toUpperCase();
  const every = (pattern: RegExp): boolean => values.every((value) => pattern.test(value));
  if (/^(?:EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|SHELL|GIT_EDITOR|GIT_PAGER|GIT_SEQUENCE_EDITOR|FCEDIT)$/.test(upper)) {
    return every(HARMLESS_PROGRAM) ? undefined : `${name} names a program that runs later.`;
  }
  // The usual directories of programs, before or after the previous value.
  if (upper === 'PATH' && every(USUAL_PATH)) return undefined;
  if (HARMLESS_GIT.test(upper) || (/^GIT_TRACE\w*$/.test(upper) && every(/^(?:[012]|true|false)?$/))) return undefined;
  if (upper === 'NODE_OPTIONS' && every(HARMLESS_NODE)) return undefined;
  if (/^PS[012]$/.test(upper) && every(/^[^$`\\]*$/)) return undefined;
  if (
    /^NPM_CONFIG_(?:LOGLEVEL|YES|FUND|AUDIT|REGISTRY|UPDATE_NOTIFIER|PROGRESS|COLOR|OFFLINE|PREFER_OFFLINE|IGNORE_SCRIPTS|LEGACY_PEER_DEPS)$/.test(
      upper,
    )
  ) {
    return undefined;
  }
  if (upper === 'GOFLAGS' && every(/^-(?:mod=\w+|count=\d+|race|v)$/)) return undefined;
  if (upper === 'MAKEFLAGS' && every(/^-j ?[\d\uE001\uE007]*$/)) return undefined;
  if (
    /^(?:CARGO_TARGET_DIR|NODE_PATH|PERL5LIB|RUBYLIB)$/.test(upper) &&
    every(/^(?!\.\.)[\w.][\w./-]*$/) &&
    every(/^(?!.*\.\.)/)
  )
    return undefined;
  return `${name} decides what runs, or where it writes.`;
}
