import type { Call, Handler } from '../call.ts';
import { type Field, field } from '../marks.ts';
import { parseOptions } from '../options.ts';

/** How a program unpacks an archive, or fetches a directory. */
interface Extractor {
  readonly values?: string;
  /** Options whose value is the target directory. */
  readonly into?: string;
  /** The program unpacks only if its words include one of these. */
  readonly only?: RegExp;
  /** The position of the operand that is the target directory. */
  readonly at?: number;
  /** Without a target directory it creates one of the archive's own name. */
  readonly isNamed?: boolean;
  readonly isCluster?: boolean;
}

const FETCH: Extractor = { at: 1, isNamed: true, values: '--mode --auth --registry -m --dir --cwd --shell' };

/** Programs that unpack into the current directory unless they get another one. */
const EXTRACTORS: Readonly<Record<string, Extractor>> = {
  unrar: { only: /^[ex]$/, at: 2 },
  rar: { only: /^[ex]$/, at: 2 },
  dtrx: {},
  atool: { only: /^(?:-x|--extract|-X.*|--extract-to.*)$/, values: '-X --extract-to', into: '-X --extract-to' },
  aunpack: { values: '-X --extract-to', into: '-X --extract-to' },
  p7zip: { only: /^-d$|^--decompress$/ },
  cabextract: { values: '-d -F -p', into: '-d --directory' },
  unar: { values: '-o -p -e', into: '-o -output-directory' },
  ouch: { only: /^d(?:ecompress)?$/, values: '-d --dir', into: '-d --dir' },
  'dpkg-deb': { only: /^(?:-[xXRe]|--extract|--vextract|--raw-extract|--control)$/, at: 1 },
  unsquashfs: { values: '-d -dest', into: '-d -dest' },
  innoextract: { values: '-d --output-dir', into: '-d --output-dir' },
  lha: { only: /^-?[ex]/ },
  arj: { only: /^[ex]$/ },
  unace: { only: /^[ex]$/ },
  xar: { only: /^-x/, values: '-C -f', into: '-C' },
  degit: FETCH,
  tiged: FETCH,
  giget: FETCH,
  gitpick: FETCH,
  gitly: FETCH,
};

/** Handlers for the programs in the table. The names of the unpacked files are unknown. */
export const EXTRACTOR_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...Object.entries(EXTRACTORS).map(([name, extractor]): [string, Handler] => [
    name,
    (call) => unpack(call, extractor),
  ]),
  ['jar', runJar],
]);

function unpack(call: Call, { values, into = '', only, at, isNamed }: Extractor): undefined {
  const { args, state, reader } = call;
  const parsed = parseOptions(args, {
    values: `${values ?? ''} ${into}`,
    flags: '--extract',
    singleDash: /^un(?:ar|squashfs)$/.test(call.name),
  });
  const { operands } = parsed;
  const unpacks = only === undefined || args.some((arg) => only.test(arg.value));
  const isAsked = args.some((arg) => /^(?:-l|--list|-t|--test|-h|--help|--version)$/.test(arg.value));
  if (!unpacks) {
    // Any operand may be an archive to create.
    for (const file of [...operands, ...parsed.values('-f')])
      if (/[/\\~.\uE003]/.test(file.value)) reader.write(state, file);
    return;
  }
  if (isAsked) return;
  const to = [...parsed.values(...into.split(' ')), ...(at === undefined ? [] : operands.slice(at).slice(-1))];
  const [archive] = operands;
  if (to.length > 0) for (const dir of to) reader.write(state, dir, 'fills');
  else if (isNamed === true && archive !== undefined)
    reader.write(state, field(/([^/:#]+)(?:#.*)?$/.exec(archive.value)?.[1] ?? '.', archive.written), 'fills');
  else reader.write(state, field('.', call.name), 'fills');
}

/** `jar xf x.jar`, `jar cf x.jar …`: letters like those of tar, with or without a dash. */
function runJar({ args, state, reader }: Call): undefined {
  const [mode, ...rest] = args;
  const letters = mode?.value.replace(/^--?/, '') ?? '';
  const [file, ...members] = rest.filter((arg) => !arg.value.startsWith('-'));
  if (/^t|^list/.test(letters)) return;
  if (/^x|^extract/.test(letters)) return unpackMembers(members, rest, { state, reader });
  if (file !== undefined) reader.write(state, file);
}

function unpackMembers(
  members: readonly Field[],
  args: readonly Field[],
  { state, reader }: Pick<Call, 'state' | 'reader'>,
): undefined {
  const dirs = parseOptions(args, { values: '-C --dir' }).values('-C', '--dir');
  for (const dir of dirs) reader.write(state, dir, 'fills');
  for (const member of members) reader.write(state, member, 'fills');
  if (dirs.length + members.length === 0) reader.write(state, field('.', 'jar x'), 'fills');
}
