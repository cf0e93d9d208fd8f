/** How the command line of an interpreter names its programs. */
export interface Language {
  readonly kind: 'python' | 'javascript' | 'other';
  /** Options whose value is a program. */
  readonly inline: string;
  /** Other options with a value. */
  readonly values: string;
  readonly hasInPlace?: boolean;
}

/** Node, and programs with its options. */
export const NODE: Language = {
  kind: 'javascript',
  inline: '-e -p -pe --eval --print',
  values:
    '-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --input-type --test-name-pattern --test-skip-pattern --test-reporter --test-reporter-destination --watch-path --report-dir --report-directory --report-filename --redirect-warnings --cpu-prof-dir --cpu-prof-name --heap-prof-dir --heap-prof-name --diagnostic-dir --trace-event-file-pattern --trace-event-categories --snapshot-blob --localstorage-file --tls-keylog --experimental-sea-config --icu-data-dir --openssl-config --stack-trace-limit --max-http-header-size --title --unhandled-rejections --inspect-port --dns-result-order --disable-warning --test-concurrency --test-timeout --test-shard --run --logfile',
};

/** Python, and programs with its options. */
export const PYTHON: Language = { kind: 'python', inline: '-c', values: '-W -X -Q --check-hash-based-pycs' };

/** Interpreters by the name of their program. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  python: PYTHON,
  pypy: PYTHON,
  py: PYTHON,
  ipython: PYTHON,
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  'ts-node': NODE,
  bun: { ...NODE, inline: '-e -p --eval --print', values: '-r --preload --cwd --config -c' },
  deno: { ...NODE, inline: '', values: '--config -c --import-map --lock' },
  perl: { kind: 'other', inline: '-e -E', values: '-I -M -m -x', hasInPlace: true },
  ruby: { kind: 'other', inline: '-e', values: '-I -r -C -E', hasInPlace: true },
  php: { kind: 'other', inline: '-r -B -R -E --run', values: '-d -c -f -S -t' },
  lua: { kind: 'other', inline: '-e', values: '-l' },
  osascript: { kind: 'other', inline: '-e', values: '-l' },
  r: { kind: 'other', inline: '-e', values: '-f' },
  rscript: { kind: 'other', inline: '-e', values: '' },
  julia: { kind: 'other', inline: '-e -E --eval --print', values: '-L' },
  elixir: { kind: 'other', inline: '-e --eval', values: '-r' },
  tclsh: { kind: 'other', inline: '', values: '' },
  expect: { kind: 'other', inline: '-c', values: '-f' },
  groovy: { kind: 'other', inline: '-e', values: '' },
  jshell: { kind: 'other', inline: '', values: '' },
  guile: { kind: 'other', inline: '-c', values: '' },
};
