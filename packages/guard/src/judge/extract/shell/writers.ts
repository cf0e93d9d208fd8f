// long: a table, as long as there are programs that write.
import type { Call } from './call.ts';
import { ANY, ATOM, changeDirectory, type Field, field, GLOB, SPLIT, withoutGlobMarks, withValue } from './marks.ts';
import { parseOptions } from './options.ts';
import { checkSshOptions, isThisMachine } from './tools/ssh.ts';

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
      writes: '-f --prefix',
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

/** Commands that only read: the number of operands before the files, and the options with a value. */
const READERS: ReadonlyMap<string, readonly [number, string]> = new Map(
  Object.entries({
    less: [0, ''],
    more: [0, ''],
    bat: [0, '-l -r --language --pager'],
    head: [0, '-n -c --lines --bytes'],
    tail: [0, '-n -c --lines --bytes --pid'],
    nl: [0, '-b -v -w'],
    tac: [0, ''],
    rev: [0, ''],
    od: [0, '-A -t -N -j'],
    hexdump: [0, '-n -s -e'],
    strings: [0, '-n'],
    grep: [1, '-e -f -m -A -B -C --include --exclude --exclude-dir --color'],
    egrep: [1, '-e -f -m -A -B -C'],
    fgrep: [1, '-e -f -m'],
    rg: [1, '-e -f -g -t -T -m -A -B -C -r -j --glob --type --type-not --max-count --pre --hostname-bin'],
    ag: [1, '-G -A -B -C -m --pager'],
    ack: [1, '-A -B -C --pager'],
    zcat: [0, ''],
    bzcat: [0, ''],
    xzcat: [0, ''],
    zgrep: [1, '-e -A -B -C'],
    cut: [0, '-d -f -c -b --delimiter --fields'],
    paste: [0, '-d'],
    join: [0, '-1 -2 -t -o'],
    comm: [0, ''],
    diff: [0, '-U -I -x --exclude'],
    cmp: [0, ''],
    file: [0, '-m'],
    stat: [0, '-c -f --format --printf'],
    ls: [0, '-I'],
    eza: [0, ''],
    exa: [0, ''],
    tree: [0, '-L -I -P'],
    du: [0, '-d --max-depth --exclude'],
    column: [0, '-t -s'],
    fold: [0, '-w'],
    fmt: [0, '-w'],
    expand: [0, ''],
    unexpand: [0, ''],
    tr: [9, ''],
    jq: [1, '--arg --argjson --slurpfile --rawfile --indent -f'],
    sha1sum: [0, ''],
    sha512sum: [0, ''],
    shasum: [0, '-a'],
    b2sum: [0, ''],
    look: [0, ''],
    ps: [9, '-o -p -u'],
    df: [9, ''],
    free: [9, ''],
    uptime: [9, ''],
    pgrep: [9, ''],
    pkill: [9, ''],
    killall: [9, ''],
    lsof: [9, ''],
    netstat: [9, ''],
    ping: [9, ''],
    dig: [9, ''],
    nslookup: [9, ''],
    host: [9, ''],
    man: [9, ''],
    help: [9, ''],
    export: [9, ''],
    tokei: [0, ''],
    expr: [9, ''],
    bc: [0, ''],
    clear: [9, ''],
  } satisfies Record<string, readonly [number, string]>),
);

/** Records what a command of the table writes and reads. */
export function applyWriter(call: Call, writer: Writer): void {
  const { args, state, reader, name } = call;
  const { options, operands, has, values, isOpen } = parseOptions(args, {
    values: writer.values,
    singleDash: writer.singleDash,
    flags: writer.flags,
  });
  const names = (text: string | undefined): string[] => text?.split(' ') ?? [];
  const isIdle = writer.only !== undefined && !has(...names(writer.only));
  if (!isIdle && (isOpen || args.some((arg) => arg.value.includes(SPLIT))))
    reader.undecidable(`It is not known what '${name}' is given.`);
  for (const field of values(...names(writer.writes))) reader.write(state, field);
  for (const field of values(...names(writer.readsFrom))) reader.read(state, field);
  if (has(...names(writer.runs))) reader.undecidable(`An option of '${name}' runs a command.`);
  if (/^(?:rsync|scp)$/.test(name))
    checkTransport(call, values('-e', '--rsh', '--rsync-path', '-S', '-D', '-M', '--remote-option'));
  if (name === 'scp') checkSshOptions(call, values('-o'), values('-F'));
  // `rename 's/…/…/' files`: a program in Perl.
  if (name === 'rename' && /\\\/|\.\.|[/}]\w*e\w*$|[`;{]|\$[({]|\(\?/.test(operands[0]?.value ?? ''))
    reader.undecidable('It is not known which names come out of the expression.');
  if (isIdle) return readAll(call, operands);
  if (writer.unless !== undefined && has(...names(writer.unless))) return readAll(call, operands);
  const targets = values(...names(writer.target));
  for (const field of targets) reader.write(state, field);
  if (writer.isHere === true && state.cwds.some((cwd) => cwd !== '')) reader.write(state, field('.', name));
  const last = writer.operands === 'last' ? lastOperand(args, operands) : operands.length - 1;
  // A write through the link changes its target.
  const makesLinks = name === 'cp' && has('-s', '-l', '--symbolic-link', '--link');
  const isDirectories = name === 'install' && has('-d', '--directory');
  const skips =
    writer.operands === 'rest' &&
    (values('--reference').length > 0 || options.some((o) => /^-[rwxXst]$/.test(o.name) && name === 'chmod'))
      ? 0
      : 1;
  for (const [index, field] of operands.entries()) {
    const isLast = index >= last;
    const isWritten =
      writer.operands === 'all' ||
      makesLinks ||
      isDirectories ||
      (writer.operands === 'last' && isLast && targets.length === 0) ||
      (writer.operands === 'rest' && index >= skips) ||
      (writer.operands === 'first' && index === 0) ||
      (writer.operands === 'second' && index === 1);
    if (writer.remote === true && isRemote(field)) {
      // Files on another machine do not count.
      if (isWritten && isThisMachine(hostOf(field)))
        reader.undecidable(`'${name}' may write on this machine, by another way.`);
      continue;
    }
    if (isWritten) writeOperand(call, field, operands, has);
    else if (writer.reads === true) reader.read(state, field);
  }
  if (name === 'rsync' && has('--remove-source-files')) for (const field of operands) reader.write(state, field);
  if (name === 'mkdir') noteMade(call, operands);
  if (PLACES.test(name) && !isDirectories)
    notePlaced(
      call,
      operands,
      [...targets, ...(writer.target === undefined ? values('-t', '--target-directory') : [])],
      has,
    );
}

/**
 * The index of the last operand. It may be the value of an unknown option (`rsync a b --info x`), so an operand after a
 * long option counts both as its value and as an operand.
 */
function lastOperand(args: readonly Field[], operands: readonly Field[]): number {
  let last = operands.length - 1;
  for (; last > 0; last -= 1) {
    const before = args[args.indexOf(operands[last] as Field) - 1]?.value ?? '';
    if (!/^--[\w-]+$/.test(before)) break;
  }
  return last;
}

/** Commands that create files under the names of their sources. */
const PLACES = /^(?:cp|mv|ln|link|install|rsync|scp|ditto|cpx|ncp|copyfiles)$/;

/**
 * Records the files that appear in a directory under the names of the sources, and the directory that replaces another
 * one.
 */
function notePlaced(
  { state, reader, name }: Call,
  operands: readonly Field[],
  targets: readonly Field[],
  has: (...names: string[]) => boolean,
): void {
  const sources = targets.length > 0 ? operands : operands.slice(0, -1);
  const last = operands.at(-1);
  const isWhole = has('-T', '--no-target-directory');
  const isDeep = /^(?:mv|ln|ditto|rsync|ncp)$/.test(name) || has('-r', '-R', '-a', '--recursive', '--archive');
  if (name === 'mv') for (const source of sources) reader.write(state, source, 'removes');
  if (name === 'ln' && operands.length === 1 && last !== undefined) {
    const base = baseName(last);
    if (base !== '') reader.write(state, withValue(last, base));
  }
  for (const target of targets.length > 0 ? targets : last === undefined || operands.length < 2 ? [] : [last]) {
    if (isRemote(target) && /^(?:rsync|scp)$/.test(name)) continue;
    const isInto = targets.length > 0 || sources.length > 1 || (!isWhole && mayBeDirectory(state, target));
    for (const source of sources) {
      // With --parents the whole path of the source appears there.
      const base = has('--parents') ? source.value.replace(/\/+$/, '') : baseName(source);
      const isContent =
        isDeep && (isWhole || base === '' || (name === 'rsync' && source.value.endsWith('/')) || name === 'ditto');
      if (isContent || !/[^*?.\uE000-\uE00F]/.test(base)) reader.write(state, target, 'fills');
      else if (isInto) {
        const value = `${target.value.replace(/\/+$/, '')}/${base.replaceAll(ANY, '')}`;
        const into = {
          value: target.value.startsWith('/') && value.startsWith('//') ? value.slice(1) : value,
          written: value,
        };
        if (!base.includes(ANY))
          reader.write(state, into, isDeep ? 'replaces' : base.includes(GLOB) ? 'appears' : undefined);
      }
      // A directory may replace an existing one or go into it.
      if (isDeep && (!isInto || !base.includes('.'))) reader.write(state, target, 'replaces');
      // Entries of a repository turn their target directory into one.
      if ((isContent || base.includes(GLOB)) && isRepository(state, source, isContent))
        reader.write(state, target, 'repository');
    }
  }
}

/** The last component of a path; empty if the path means the content of a directory (`x/.`). */
function baseName({ value }: Field): string {
  const base =
    value
      .replace(/^[\w.@-]{2,}:(?=[^/\\]+$)/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? '';
  return base === '.' || base === '..' ? '' : base;
}

function isRepository(state: Call['state'], source: Field, isContent: boolean): boolean {
  const path = source.value.replace(/\/+$/, '');
  const dir = isContent ? path : path.replace(/(?:^|\/)[^/]*$/, '') || '.';
  return ['objects', 'refs'].every((part) => {
    const at = withValue(source, changeDirectory(dir, part));
    return state.isDirectory !== undefined && mayBeDirectory(state, at);
  });
}

function mayBeDirectory(state: Call['state'], { value }: Field): boolean {
  if (/\/$|(?:^|\/)\.{1,2}$/.test(value)) return true;
  if (state.isDirectory === undefined) return !value.includes(GLOB);
  if (/[\uE000-\uE00F]/.test(value)) return true;
  return state.cwds.some((cwd) => {
    const path = cwd === '' || value.startsWith('/') ? value : `${cwd}/${value}`;
    return state.made.has(path.replace(/^\.\//, '')) || state.isDirectory?.(path) === true;
  });
}

function writeOperand(
  call: Call,
  field: Field,
  operands: readonly Field[],
  has: (...names: string[]) => boolean,
): void {
  const { state, reader, name } = call;
  const target = operands.length > 1 ? operands.at(-1) : undefined;
  if (
    name === 'ln' &&
    has('-s', '--symbolic') &&
    field !== target &&
    target !== undefined &&
    !/^[/~\uE000-\uE005]/.test(field.value)
  ) {
    // A relative target of a symbolic link starts at the link's directory.
    const link = target.value;
    const base = /(?:^|\/)\.{0,2}\/?$/.test(link)
      ? link.replace(/\/+$/, '')
      : link.includes('/')
        ? link.slice(0, link.lastIndexOf('/'))
        : '';
    const value = base === '' || base === '.' ? field.value : `${base}/${field.value}`;
    // Everything below the target can be written through the link.
    reader.write(state, { value, written: field.written }, 'replaces');
    return;
  }
  const pattern = OWN_WILDCARDS.test(name) ? ownWildcards(field) : field;
  // A pattern that excludes files.
  if (/^(?:prettier|eslint|stylelint|biome)$/.test(name) && /^!.*[*?[]/.test(pattern.value)) return;
  // These commands remove the link, not its target.
  const isLink = /^(?:rm|unlink|trash|rimraf)$/.test(name);
  const written = isLink ? withValue(pattern, pattern.value.replace(/\uE002\*\*$/, ATOM)) : pattern;
  const isMoved = name === 'mv' && target !== undefined && field !== target && !has('-t', '--target-directory');
  reader.write(state, written, REMOVES.test(name) || isMoved ? 'takes' : undefined);
}

/** Commands that remove their operands. */
const REMOVES = /^(?:rm|rmdir|unlink|rimraf|del-cli|trash|trash-put|shred|wipe|srm)$/;

/** Programs that expand wildcards themselves, as the shell would: `prettier --write "src/*.ts"`. */
const OWN_WILDCARDS = /^(?:prettier|eslint|stylelint|biome|rimraf|del-cli|cpx|copyfiles)$/;

function ownWildcards(field: Field): Field {
  return withValue(field, field.value.replace(/(?<!\uE002)[*?[]/g, `${GLOB}$&`));
}

function noteMade({ state }: Call, operands: readonly Field[]): void {
  for (const cwd of state.cwds) {
    for (const { value } of operands) {
      let path = cwd === '' || value.startsWith('/') ? value : `${cwd}/${value}`;
      path = path.replace(/^\.\//, '').replace(/\/+$/, '');
      while (path !== '' && path !== '.' && !path.includes(ANY)) {
        state.made.add(path);
        path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
      }
    }
  }
}

function checkTransport({ reader }: Call, fields: readonly Field[]): void {
  const isPlain = ({ value }: Field): boolean =>
    /^(?:\/usr\/bin\/)?ssh(?: -[A-Za-z0-9]+(?: [\w.@/=~-]+)?)*$/.test(value) && !/command| -[FEI]|include/i.test(value);
  if (fields.some((field) => !isPlain(field))) {
    reader.undecidable('An option names a program that is run for the transport.');
  }
}

function isRemote({ value }: Field): boolean {
  const text = withoutGlobMarks(value);
  return (
    /^(?:[\w.-]+@)?(?:[\w.-]{2,}|\[[^\]/]+\]):(?!\\)|^rsync:\/\/|^ssh:\/\/|^scp:\/\//.test(text) ||
    /^[\w.-]+@[\w.-]+:|^[^/:]*[\uE000\uE001][^/:]*:/.test(text)
  );
}

/** The host in `user@host:path` and `scp://user@host/path`. */
function hostOf(to: Field): string {
  const value = withoutGlobMarks(to.value);
  const address =
    /^\w+:\/\/([^/]*)/.exec(value)?.[1] ?? /^[^@/]*@?\[[^\]]*\]/.exec(value)?.[0] ?? value.replace(/:.*$/s, '');
  return address.replace(/^.*@/s, '').replace(/:\d+$/, '');
}

function readAll(call: Call, operands: readonly Field[]): void {
  for (const field of operands) call.reader.read(call.state, field);
}

/** Whether a command of this name is known to read its operands. */
export function isReader(name: string): boolean {
  return READERS.has(name);
}

/** Records the operands of a command that is known to read. @returns whether it is one. */
export function readsOf(call: Call): boolean {
  const known = READERS.get(call.name);
  if (known === undefined) return false;
  const { operands, has, values } = parseOptions(call.args, { values: known[1] });
  const skips = known[0] === 1 && has('-e', '-f', '--regexp', '--file') ? 0 : known[0];
  for (const field of operands.slice(skips)) call.reader.read(call.state, field);
  for (const pre of values('--pre', '--pager', '--hostname-bin', '--diff-program'))
    call.reader.undecidable(`'${pre.value}' is run.`);
  if (/^(?:less|more)$/.test(call.name) && call.args.some((arg) => /^\+(?!(?:[GF]|\d+|\/[^!|]*)$)/.test(arg.value)))
    call.reader.undecidable(`'${call.name}' is given commands of its own.`);
  if (call.name === 'man' && call.args.some((arg) => /^(?:-H.|--html=)/.test(arg.value)))
    call.reader.undecidable('An option of man runs a command.');
  if (call.name === 'tree' || call.name === 'bat')
    for (const field of parseOptions(call.args, { values: '-o' }).values('-o')) call.reader.write(call.state, field);
  if (call.name === 'less' || call.name === 'more') {
    for (const field of parseOptions(call.args, { values: '-o -O --log-file --LOG-FILE' }).values(
      '-o',
      '-O',
      '--log-file',
      '--LOG-FILE',
    ))
      call.reader.write(call.state, field);
  }
  return true;
}
