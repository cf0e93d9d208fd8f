/** How the operands and options of a command write. */
export interface Writer {
  /** Options that take a value. */
  readonly values?: string;
  /** The operands that are written. */
  readonly operands: 'all' | 'last' | 'rest' | 'first' | 'second' | 'none';
  /** The other operands are read. */
  readonly reads?: boolean;
  /** Options whose value is written. */
  readonly writes?: string;
  /** Options whose value is the target directory; then every operand is a source. */
  readonly target?: string;
  /** Options whose value is read. */
  readonly readsFrom?: string;
  /** Operands are written only with one of these options. */
  readonly only?: string;
  /** Operands are not written with one of these options. */
  readonly unless?: string;
  /** Options that run something. */
  readonly runs?: string;
  readonly singleDash?: boolean;
  /** Long options without a value whose names are prefixes of options that take one. */
  readonly flags?: string;
  /** Without a further operand the command creates files in its working directory. */
  readonly isHere?: boolean;
  /** `host:path` is on another machine. */
  readonly remote?: boolean;
}

const COMPRESS: Writer = {
  operands: 'all',
  values: '-S --suffix -T -o -p',
  writes: '-o',
  unless: '-c --stdout --to-stdout -l --list -t --test',
};

const FORMAT = (only: string, values = ''): Writer => ({ operands: 'all', only, values });

/** Commands by what they write. A command with a complex syntax has a handler in `tools/` instead. */
export const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>(
  Object.entries({
    tee: { operands: 'all' },
    sponge: { operands: 'all' },
    touch: { operands: 'all', values: '-t -d -r --date --reference', readsFrom: '-r --reference' },
    truncate: { operands: 'all', values: '-s -r --size --reference' },
    fallocate: { operands: 'all', values: '-l -o --length --offset' },
    mkdir: { operands: 'all', values: '-m --mode' },
    md: { operands: 'all' },
    mkdirp: { operands: 'all' },
    rm: { operands: 'all' },
    rmdir: { operands: 'all' },
    unlink: { operands: 'all' },
    rimraf: { operands: 'all' },
    'del-cli': { operands: 'all' },
    trash: { operands: 'all' },
    'trash-put': { operands: 'all' },
    shred: { operands: 'all', values: '-n -s --iterations --size' },
    wipe: { operands: 'all' },
    srm: { operands: 'all' },
    mkfifo: { operands: 'all', values: '-m --mode' },
    mknod: { operands: 'first', values: '-m --mode' },
    chmod: { operands: 'rest', values: '--reference' },
    chown: { operands: 'rest', values: '--reference --from' },
    chgrp: { operands: 'rest', values: '--reference' },
    chattr: { operands: 'rest', values: '-p -v' },
    chflags: { operands: 'rest' },
    chcon: { operands: 'rest', values: '-u -r -t -l --reference' },
    setfacl: { operands: 'all', values: '-m -x -M -X --modify --remove' },
    setfattr: { operands: 'all', values: '-n -v -x' },
    setcap: { operands: 'rest' },
    xattr: { operands: 'last', only: '-w -d -c -r' },
    cp: { operands: 'last', reads: true, values: '-t -S --target-directory --suffix', target: '-t --target-directory' },
    mv: { operands: 'all', reads: true, values: '-t -S --target-directory --suffix', writes: '-t --target-directory' },
    rename: { operands: 'rest', values: '-e' },
    install: {
      operands: 'last',
      reads: true,
      values: '-t -m -o -g -S --target-directory --mode --owner --group --suffix --strip-program',
      target: '-t --target-directory',
      runs: '--strip-program',
    },
    link: { operands: 'all' },
    // A later write through the link changes its target, so both ends count.
    ln: { operands: 'all', values: '-t -S --target-directory --suffix', writes: '-t --target-directory' },
    ditto: { operands: 'last', reads: true },
    rsync: {
      operands: 'last',
      reads: true,
      remote: true,
      values:
        '-e -f -T -B -M --rsh --filter --exclude --include --exclude-from --include-from --files-from --log-file --backup-dir --temp-dir --partial-dir --compare-dest --copy-dest --link-dest --rsync-path --bwlimit --password-file --write-batch --max-size --min-size --timeout --port --out-format --chmod --chown --suffix --info --debug --compress-level --max-delete --block-size --modify-window --contimeout --sockopts --protocol --iconv --checksum-seed --skip-compress --usermap --groupmap --stop-after --stop-at --copy-as --outbuf --early-input --read-batch --only-write-batch --compress-choice --checksum-choice --address --port --log-file-format --config --dparam --remote-option --stderr --max-alloc --zl --zc --cc',
      flags: '--backup --partial --checksum --compress',
      writes: '--log-file --backup-dir -T --temp-dir --partial-dir --write-batch --only-write-batch',
    },
    scp: { operands: 'last', reads: true, remote: true, values: '-c -F -i -J -l -o -P -S -X -D' },
    cpx: { operands: 'last', reads: true },
    ncp: { operands: 'last', reads: true },
    copyfiles: { operands: 'last', reads: true, values: '-u -e -a' },
    split: {
      operands: 'second',
      reads: true,
      values: '-a -b -C -l -n -t --bytes --lines --number --suffix-length --additional-suffix --filter',
      runs: '--filter',
      isHere: true,
    },
    csplit: {
      operands: 'none',
      isHere: true,
      values: '-f -b -n --prefix --suffix-format --digits',
      writes: '-f -b --prefix --suffix-format',
    },
    uniq: { operands: 'second', reads: true, values: '-f -s -w' },
    xxd: { operands: 'second', reads: true, values: '-c -g -l -o -s -n' },
    sort: {
      operands: 'none',
      reads: true,
      values:
        '-o -k -t -S -T --output --key --field-separator --buffer-size --temporary-directory --compress-program --files0-from --parallel',
      writes: '-o --output -T --temporary-directory',
      runs: '--compress-program',
    },
    shuf: { operands: 'none', reads: true, values: '-o -n -i --output --random-source', writes: '-o --output' },
    iconv: { operands: 'none', reads: true, values: '-o -f -t --output', writes: '-o --output' },
    base64: { operands: 'none', reads: true, values: '-o -i -w --output --wrap', writes: '-o --output' },
    uudecode: { operands: 'none', values: '-o --output-file', writes: '-o --output-file', isHere: true },
    gzip: COMPRESS,
    gunzip: COMPRESS,
    bzip2: COMPRESS,
    bunzip2: COMPRESS,
    xz: COMPRESS,
    unxz: COMPRESS,
    zstd: COMPRESS,
    unzstd: COMPRESS,
    lz4: COMPRESS,
    brotli: COMPRESS,
    compress: COMPRESS,
    ranlib: { operands: 'all' },
    strip: { operands: 'all', values: '-o -K -N -R', writes: '-o' },
    objcopy: { operands: 'all', values: '-O -I -j -R' },
    patchelf: { operands: 'all', values: '--set-rpath --set-interpreter --output --add-needed', writes: '--output' },
    dos2unix: { operands: 'all' },
    unix2dos: { operands: 'all' },
    mount: { operands: 'all', values: '-t -o', reads: true },
    umount: { operands: 'all' },
    mkfs: { operands: 'all', values: '-b -t -L -O -E -N -m -U -d --type' },
    mke2fs: { operands: 'all', values: '-b -t -L -O -E -N -m -U -d' },
    wipefs: { operands: 'all', values: '-o -t --offset --types' },
    losetup: { operands: 'all', values: '-o --offset --sizelimit' },
    dd_rescue: { operands: 'all', values: '-b -B -m -s -S -l -o -e', writes: '-l -o' },
    ddrescue: { operands: 'all', values: '-b -c -s -i -o -m' },
    mcopy: { operands: 'last', values: '-i -D' },
    pdftotext: {
      operands: 'second',
      reads: true,
      values: '-f -l -r -x -y -W -H -enc -eol -opw -upw',
      singleDash: true,
    },
    pdftoppm: { operands: 'second', reads: true, values: '-f -l -r -scale-to', singleDash: true },
    pdfimages: { operands: 'second', reads: true, values: '-f -l', singleDash: true },
    xmllint: {
      operands: 'none',
      values: '--output -o --xpath --schema --encode --path --pattern --relaxng --dtdvalid --schematron',
      writes: '--output -o',
      runs: '--shell',
    },
    sdiff: {
      operands: 'none',
      values: '-o -W -w --output --diff-program',
      writes: '-o --output',
      runs: '--diff-program',
    },
    diff3: { operands: 'none', values: '--diff-program --label -L', runs: '--diff-program' },
    ncdu: { operands: 'none', values: '-o -f -X --exclude', writes: '-o' },
    identify: { operands: 'none', values: '-write -format', writes: '-write', singleDash: true },
    mediainfo: { operands: 'none', values: '--LogFile', writes: '--LogFile' },
    fzf: {
      operands: 'none',
      values: '--history --bind --preview',
      writes: '--history',
      runs: '--bind --preview --execute',
    },
    sk: {
      operands: 'none',
      values: '--history --bind --preview -c --cmd',
      writes: '--history',
      runs: '--bind --preview -c --cmd',
    },
    info: { operands: 'none', values: '-o --output -f --file --dribble --restore', writes: '-o --output --dribble' },
    say: { operands: 'none', values: '-o -v -r -f --output-file', writes: '-o --output-file' },
    ss: { operands: 'none', values: '-D --diag -F --filter', writes: '-D --diag' },
    cloc: {
      operands: 'none',
      values: '--out --report-file --sql --extract-with --diff-list-file --exclude-dir --include-lang --exclude-lang',
      writes: '--out --report-file --sql --diff-list-file',
      runs: '--extract-with',
    },
    mkswap: { operands: 'all' },
    sysctl: { operands: 'none' },
    setenforce: { operands: 'none' },
    nano: { operands: 'all', values: '-r -T -s' },
    pico: { operands: 'all' },
    micro: { operands: 'all' },
    emacs: { operands: 'all', values: '-l -f --eval --load --funcall', runs: '--eval -f -l --load --funcall' },
    convert: { operands: 'last', singleDash: true },
    magick: { operands: 'last', singleDash: true },
    ffmpeg: {
      operands: 'last',
      singleDash: true,
      values:
        '-i -f -c -c:v -c:a -b:v -b:a -ss -t -to -vf -af -r -s -map -codec -preset -crf -filter_complex -loglevel',
      readsFrom: '-i',
    },
    prettier: FORMAT('--write -w', '--config --parser --ignore-path --log-level --plugin'),
    eslint: {
      operands: 'all',
      only: '--fix',
      values: '-c --config -o --output-file --ext -f --format --rule --cache-location --ignore-path --parser',
      writes: '-o --output-file --cache-location',
    },
    stylelint: FORMAT('--fix', '--config -c'),
    biome: FORMAT('--write --apply --fix', '--config-path'),
    black: {
      operands: 'all',
      unless: '--check --diff -c --version',
      values: '-l -t -c --line-length --target-version --config --exclude',
    },
    isort: { operands: 'all', unless: '--check --check-only --diff -c', values: '--profile -l --settings-path' },
    autopep8: FORMAT('-i --in-place'),
    yapf: FORMAT('-i --in-place'),
    gofmt: FORMAT('-w', '-r'),
    goimports: FORMAT('-w', '-local'),
    'clang-format': FORMAT('-i', '--style -style'),
    rustfmt: { operands: 'all', unless: '--check', values: '--edition --config' },
    shfmt: FORMAT('-w', '-i'),
    yq: { operands: 'rest', only: '-i --inplace --in-place', values: '-o -p -I --indent' },
    'npm-run-all': { operands: 'none' },
  } satisfies Record<string, Writer>),
);
