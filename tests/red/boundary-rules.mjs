// Mutations of the file boundary: each removes one rule and names the test that must then fail.
const SRC = 'packages/workspace/src/';

const inSource = (file, find, replace) => ({ file: SRC + file, find, replace });
const USER = 'packages/components/src/user/';
const inSandbox = (file, find, replace) => ({ file: `${USER}sandbox/${file}`, find, replace });
const inHostile = (name) => ({ file: `${USER}hostile/hostile.test.ts`, name });
/** Needs root: without it the test is skipped, so the rule is not seen red. */
const inMounts = (name) => ({ file: 'packages/workspace/src/resolve/own-mount.test.ts', name });
const inUndoable = (name) => ({ file: 'packages/workspace/src/operations/not-undoable.test.ts', name });
const inKept = (name) => ({ file: 'packages/workspace/src/operations/read-kept.test.ts', name });
const inDiffs = (file, find, replace) => ({ file: `packages/tools/src/activity/${file}.ts`, find, replace });
const ofDiffs = (file, name) => ({ file: `packages/tools/src/activity/${file}.test.ts`, name });
const inBulk = (name) => ({ file: 'packages/workspace/src/operations/bulk.test.ts', name });
const LOST_UPDATES = 'packages/workspace/src/operations/lost-updates.test.ts';
const ofRoots = (name) => ({ file: 'packages/workspace/src/moved-root.test.ts', name });
const PARTS = 'packages/tools/src/activity/recorded-part';
const inParts = (find, replace) => ({ file: `${PARTS}.ts`, find, replace });
const ofParts = (name) => ({ file: `${PARTS}.test.ts`, name });
const IN_JOURNAL = 'packages/workspace/src/operations/journal.test.ts';
const test = (file, name) => ({ file: `tests/red/${file}.test.ts`, name });

/** Recognises the base directory by its names alone. */
const UNKNOWN_BASE = inSource(
  'base-directory.ts',
  'return stat !== undefined && base.is(stat);',
  'return stat !== undefined && stat.nlink < 0;',
);

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}, build?: boolean}[]} */
export const BOUNDARY_RULES = [
  {
    rule: 'an upload is renamed only if the name still is its descriptor',
    edits: [
      inSource(
        'operations/receive-file.ts',
        'if (named.ino === own.ino && named.dev === own.dev) return named;',
        'if (named.ino >= 0) return named;',
      ),
    ],
    test: {
      file: 'packages/workspace/src/operations/receive-file.test.ts',
      name: 'whose gathering place was exchanged for a link is not kept',
    },
  },
  {
    rule: 'old content is read only for paths that callers can read',
    edits: [
      inSource(
        'operations/read-kept.ts',
        "locateOrNothing(enclosure, path, { leaf: 'keep' })",
        "locateOrNothing(enclosure, 'x', { leaf: 'keep' })",
      ),
    ],
    test: inKept('is refused for paths that callers cannot read'),
  },
  {
    rule: 'old content is not read through a link in the trash',
    edits: [inSource('operations/read-kept.ts', 'O_RDONLY | O_NOFOLLOW | O_NONBLOCK', 'O_RDONLY | O_NONBLOCK')],
    test: inKept('does not follow a link in the trash'),
  },
  {
    rule: 'a diff has nothing that another program wrote after the change',
    edits: [inDiffs('change-diffs', 'if (!history.isSame(found, version)) throw', "if (found === '') throw")],
    test: ofDiffs('change-diffs', 'another program changed or removed'),
  },
  {
    rule: 'a diff has nothing that another program wrote before a later addition',
    edits: [inDiffs('content-source', 'if (before === undefined || !isSame(before, version))', "if (before === '')")],
    test: ofDiffs('change-diffs', 'wrote before a later addition or deletion'),
  },
  {
    rule: 'a diff has nothing that another program wrote to the replaced file',
    edits: [
      inDiffs('change-diffs', 'if (change.before !== undefined && !history', "if (change.before === '' && !history"),
    ],
    test: ofDiffs('change-diffs', 'wrote to the replaced file'),
  },
  {
    rule: 'an undo that goes on counts only content that is back unchanged',
    edits: [
      inDiffs(
        'taken-back',
        'return history().isSame(workspace.info(file.path, { itself: true }).version, file.version);',
        'return workspace.info(file.path, { itself: true }).version !== undefined;',
      ),
    ],
    test: ofDiffs('undo', 'leaves alone what another program changed in between'),
  },
  {
    rule: 'components are named after classes, not by paths',
    edits: [inSource('component-files.ts', 'if (!CLASS_NAME.test(className))', "if (className === '')")],
    test: { file: 'packages/workspace/src/component-store.test.ts', name: 'refuse the name' },
  },
  {
    rule: 'the directory of components is not reached through a link',
    edits: [
      inSource('component-store.ts', 'const dir = openDir(at, kind);', "const dir = openDir(`${at}/.`, 'descriptor');"),
    ],
    test: { file: 'packages/workspace/src/component-store.test.ts', name: 'in the place of the directory' },
  },
  {
    rule: "typed arrays of users' code count in its memory",
    edits: [inSandbox('quickjs-rows.ts', 'Math.ceil(limits.memoryBytes / PAGE_BYTES)', '16_384')],
    test: inHostile('typed arrays cannot take more memory than a component may have'),
    build: true,
  },
  {
    rule: "outputs of users' code change no prototype",
    edits: [inSandbox('quickjs-rows.ts', 'outputs.includes(\'"__proto__":\')', "outputs === ''")],
    test: inHostile('gives a key that changes prototypes, and ends'),
    build: true,
  },
  {
    rule: "outputs of users' code have a largest size",
    edits: [inSandbox('quickjs-rows.ts', 'lengthOf(context, given) > limits.resultChars', "kind === ''")],
    test: inHostile('memory: gives more than a result may hold, and ends'),
    build: true,
  },
  {
    rule: "a row of users' code does not see the row before it",
    edits: [
      inSandbox(
        'quickjs-rows.ts',
        'const context = scope.manage(this.#runtime.newContext());',
        'const context = (this.#kept ??= this.#runtime.newContext());',
      ),
      inSandbox('quickjs-rows.ts', '  #deadline = 0;', '  #kept: QuickJSContext | undefined;\n  #deadline = 0;'),
    ],
    test: inHostile('a row does not see what a row before it changed'),
    build: true,
  },
  {
    rule: "users' code is scanned before it runs",
    edits: [inSandbox('read-source.ts', 'if (forbidden.length > 0)', 'if (forbidden.length > 1e9)')],
    test: inHostile('the scan refuses code that evaluates text'),
    build: true,
  },
  {
    rule: 'NUL is refused before any native call',
    edits: [
      inSource('enclosure.ts', "if (path.includes('\\0')) throw", "if (path === '\\0') throw"),
      inSource('names.ts', "if (path.includes('\\0')) throw", "if (path === '\\0') throw"),
    ],
    test: test('names', 'refuses a NUL byte before the kernel can cut the path there'),
  },
  {
    rule: 'device names',
    edits: [inSource('names.ts', 'if (DEVICE_NAMES.has(stem))', "if (stem === '')")],
    test: test('names', 'refuses device names with any extension'),
  },
  {
    rule: 'reserved segments',
    edits: [
      inSource(
        'names.ts',
        'return RESERVED_SEGMENTS.find((reserved) => reserved === folded);',
        'return RESERVED_SEGMENTS.find((reserved) => reserved === `${folded}/`);',
      ),
    ],
    test: test('names', 'refuses reserved segments'),
  },
  {
    rule: 'deny-list before any I/O',
    edits: [inSource('enclosure.ts', 'if (enclosure.denyList) checkDenyList(path, judged, enclosure.denyList);', '')],
    test: test('names', 'refuses a protected name before it looks at the disk'),
  },
  {
    rule: 'deny-list again after links are resolved',
    edits: [
      inSource('enclosure.ts', 'if (enclosure.denyList) checkDenyList(path.written, own, enclosure.denyList);', ''),
    ],
    test: test('names', 'refuses an innocent link to a protected file'),
  },
  {
    rule: 'deny-list with names of an operator',
    edits: [inSource('deny-list.ts', "return typeof list === 'object' && list.test(folded(name));", 'return false;')],
    test: test('names', 'refuses names that an operator added'),
  },
  {
    rule: 'deny-list with the streams that NTFS has for a name',
    edits: [inSource('deny-list.ts', "if (name.includes(':'))", "if (name === ':')")],
    test: test('names', 'refuses a protected name by every name that NTFS has for it'),
  },
  {
    rule: 'deny-list with short names',
    edits: [inSource('deny-list.ts', "name.includes('~') ?", "name === '~' ?")],
    test: test('names', 'refuses a protected name by every name that NTFS has for it'),
  },
  {
    rule: 'a path does not begin with ~',
    edits: [inSource('enclosure.ts', 'if (/^~(?:[\\\\/]|$)/.test(path)) {', "if (path === '') {")],
    test: test('names', 'refuses ~ as a home directory'),
  },
  {
    rule: 'a lost pepper is not replaced beside namespaces',
    edits: [
      inSource(
        'pepper.ts',
        'if (!namesIn(users).some(isNamespaceName)) return undefined;',
        'if (users) return undefined;',
      ),
    ],
    test: {
      file: 'packages/workspace/src/pepper.test.ts',
      name: 'is not replaced if it is missing beside namespaces',
    },
  },
  {
    rule: '.. cannot leave the root',
    edits: [inSource('resolve/walk.ts', 'if (names.length === 0) {', 'if (names.length < 0) {')],
    test: test('boundary', 'refuses to climb above the root'),
  },
  {
    rule: 'absolute paths outside',
    edits: [
      inSource(
        'enclosure.ts',
        '  if (!enclosure.ambient) throw escapes(path);\n  return { written: path, root: enclosure.ambient,',
        '  const ambient = enclosure.ambient ?? openAmbientRoot();\n  return { written: path, root: ambient,',
      ),
      inSource(
        'enclosure.ts',
        'parts: relativeParts(enclosure.ambient, path) ?? [] };',
        'parts: relativeParts(ambient, path) ?? [] };',
      ),
    ],
    test: test('boundary', 'refuses an absolute path outside'),
  },
  {
    rule: 'outside link, absolute',
    edits: [
      inSource(
        'resolve/walk.ts',
        'const inside = isAbsolute(target)\n    ? relativeParts(path.root, target)\n    : target',
        'const inside = target',
      ),
    ],
    test: test('boundary', 'refuses an absolute link that leads outside'),
  },
  {
    rule: 'outside link, relative',
    edits: [inSource('resolve/walk.ts', 'if (names.length === 0) {', 'if (names.length < 0) {')],
    test: test('boundary', 'refuses a relative link that leads outside'),
  },
  {
    rule: 'outside link, dangling',
    edits: [
      inSource(
        'resolve/locate.ts',
        "if (stat?.isSymbolicLink() && options.leaf !== 'keep') {",
        'if (stat?.nlink === -1) {',
      ),
      inSource(
        'operations/write-file.ts',
        "if (!stat.isFile()) throw new WorkspaceError('not_regular'",
        "if (stat.nlink < 0) throw new WorkspaceError('not_regular'",
      ),
    ],
    test: test('boundary', 'makes nothing through a dangling link that leads outside'),
  },
  {
    rule: 'a stable outside link is refused without a retry',
    edits: [
      inSource(
        'resolve/settle.ts',
        'return isChanging(link) ? new Unsettled(refusal)',
        'return link ? new Unsettled(refusal)',
      ),
    ],
    test: test('boundary', 'without the retries meant for an exchange'),
  },
  {
    rule: 'O_NOFOLLOW on every directory the walk opens',
    edits: [
      inSource(
        'resolve/dir.ts',
        'openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)',
        'openSync(path, O_PATH | O_DIRECTORY | (O_NOFOLLOW & 0))',
      ),
    ],
    test: test('boundary', 'opens no directory through a link'),
  },
  {
    rule: 'RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS',
    edits: [
      inSource(
        'resolve/locate.ts',
        'const FAST = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;',
        'const FAST = (RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS) & 0;',
      ),
      inSource(
        'resolve/open-regular.ts',
        'const resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;',
        'const resolve = (RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS) & 0;',
      ),
    ],
    test: test('boundary', 'lets the kernel follow no link on the short way'),
  },
  {
    rule: 'RESOLVE_NO_SYMLINKS: a followed link is a judged link',
    edits: [
      inSource(
        'resolve/locate.ts',
        'const FAST = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;',
        'const FAST = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (RESOLVE_NO_SYMLINKS & 0);',
      ),
      inSource(
        'resolve/open-regular.ts',
        'const resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;',
        'const resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (RESOLVE_NO_SYMLINKS & 0);',
      ),
    ],
    test: test('names', 'judges where a linked directory leads, also where the kernel could follow it'),
  },
  {
    rule: 'a place with missing parents is judged by its real path',
    edits: [
      inSource('resolve/locate.ts', '    judge(found.parts);\n    return found;\n  }\n', '    return found;\n  }\n'),
    ],
    test: test('names', 'refuses an innocent link to a protected directory also where nothing is below it'),
  },
  {
    rule: 'O_PATH and fstat before a file is opened (FIFO)',
    edits: [
      inSource(
        'resolve/open-regular.ts',
        '  const stat = fstatSync(handle);\n  requireRegular(stat, written);',
        '  const stat = fstatSync(handle);',
      ),
    ],
    test: test('boundary', 'opens no FIFO: it is refused by what it is'),
  },
  ...['written', 'appended to', 'edited'].map((what) => ({
    rule: `hard-linked files are not ${what}`,
    edits: [inSource('operations/write-file.ts', 'if (stat.nlink > 1 &&', 'if (stat.nlink < 0 &&')],
    test: test('changes', `a file with a second name is not ${what}`),
  })),
  {
    rule: 'a search opens directories without following',
    edits: [
      inSource(
        'resolve/native.ts',
        'export const LIST = constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW;',
        'export const LIST = constants.O_RDONLY | O_DIRECTORY | (O_NOFOLLOW & 0);',
      ),
    ],
    test: test('search', 'opens its directory without following a link that has taken its place'),
  },
  {
    rule: 'a walk opens directories without following',
    edits: [
      inSource(
        'resolve/native.ts',
        'export const LIST = constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW;',
        'export const LIST = constants.O_RDONLY | O_DIRECTORY | (O_NOFOLLOW & 0);',
      ),
    ],
    test: test('search', 'enters no directory through a link that has taken its place'),
  },
  {
    rule: 'a search opens files without following',
    edits: [
      inSource(
        'search/scan-file.ts',
        'const OPEN = constants.O_RDONLY | O_NOFOLLOW |',
        'const OPEN = constants.O_RDONLY | (O_NOFOLLOW & 0) |',
      ),
    ],
    test: test('search', 'opens a file without following a link that has taken its place'),
  },
  {
    rule: 'an ignore file is not read through a link',
    edits: [
      inSource(
        'search/ignore-rules.ts',
        'constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0));',
        'constants.O_RDONLY | (O_NOFOLLOW & 0) | (constants.O_NONBLOCK ?? 0));',
      ),
    ],
    test: test('search', 'reads no ignore rules through a link'),
  },
  {
    rule: 'searches leave out protected files',
    edits: [
      inSource(
        'visit-tree.ts',
        'if (options.denyList && deniedName(name, options.denyList) !== undefined) return true;',
        '',
      ),
    ],
    test: test('search', 'finds nothing in protected files'),
  },
  {
    rule: 'search patterns do not climb',
    edits: [inSource('operations/search.ts', 'if (climbs(pattern))', "if (pattern === '..')")],
    test: test('search', 'refuses a pattern that climbs'),
  },
  {
    rule: 'masks hide the base directory',
    edits: [
      inSource(
        'enclosure.ts',
        'if (enclosure.masks.length > 0 && isMasked(enclosure, hostPath(path.root, parts))) throw',
        'if (parts.length < 0) throw',
      ),
      inSource('resolve/locate.ts', 'enclosure.base?.is(found.stat)', 'enclosure.base === null'),
      inSource('resolve/walk.ts', 'if (base?.is(statDir(next))) throw', 'if (next.fd < -1) throw'),
    ],
    test: test('boundary', 'does not exist for a workspace that holds it'),
  },
  {
    rule: 'a walk recognises the base directory by identity',
    edits: [UNKNOWN_BASE],
    test: test('boundary', 'is neither listed, walked, copied nor deleted under another name'),
  },
  {
    rule: 'a directory that holds the base directory under another name is not deleted',
    edits: [
      inSource(
        'operations/measure-for-delete.ts',
        "entry.type === 'directory' && isBaseAt(",
        "entry.type === 'link' && isBaseAt(",
      ),
    ],
    test: test('boundary', 'is neither listed, walked, copied nor deleted under another name'),
  },
  {
    rule: 'a search recognises the base directory by identity',
    edits: [
      inSource('search/run-search.ts', 'shut: scope.base && isHeldAs(scope.base, place?.inodeOf),', 'shut: undefined,'),
    ],
    test: test('search', 'finds nothing of the base directory under another name'),
  },
  {
    rule: 'a search thread knows the base directory',
    edits: [inSource('operations/run-in-worker.ts', 'base: enclosure.base?.identity(),', '')],
    test: test('search', 'knows the base directory'),
  },
  {
    rule: 'masks in searches',
    edits: [
      inSource(
        'search/run-search.ts',
        'if (masks.some((mask) => below === mask || below.startsWith(`${mask}/`))) return true;',
        '',
      ),
    ],
    test: test('search', 'finds nothing in a masked directory'),
  },
  {
    rule: "a mask's parents are neither moved nor deleted",
    edits: [
      inSource('operations/move-path.ts', 'if (holdsMask(enclosure, host)) throw', 'if (found.parts.length < 0) throw'),
    ],
    test: test('boundary', 'is not carried along when a directory above it is moved or deleted'),
  },
  {
    rule: 'the base directory cannot be a workspace',
    edits: [
      inSource('workspace.ts', 'if (base !== undefined) requireOutsideBase(', "if (base === '') requireOutsideBase("),
    ],
    test: test('boundary', 'cannot be opened as a workspace'),
  },
  {
    rule: 'read-only',
    edits: [
      inSource(
        'enclosure.ts',
        'if (enclosure.readOnly) throw',
        'if (enclosure.readOnly && enclosure.denyList === undefined) throw',
      ),
    ],
    test: test('changes', 'refuses every mutation'),
  },
  {
    rule: 'the trash keeps the checked file, never a symlink',
    edits: [
      inSource(
        'trash-copies.ts',
        'if (sameFile(lstatSync(target), expected)) return true;',
        'if (expected) return true;',
      ),
    ],
    test: test('changes', 'keeps nothing when the name has become another file or a link'),
  },
  {
    rule: 'a copy opens its source without following',
    edits: [
      inSource(
        'copy-file.ts',
        'const READ = constants.O_RDONLY | O_NOFOLLOW |',
        'const READ = constants.O_RDONLY | (O_NOFOLLOW & 0) |',
      ),
    ],
    test: test('changes', 'never reads through a link'),
  },
  {
    rule: 'protected files are not deleted by their directory',
    edits: [
      inSource('operations/measure-for-delete.ts', '|| (denyList && deniedName(entry.name, denyList))) {', ') {'),
    ],
    test: test('changes', 'spares protected files inside'),
  },
  {
    rule: 'a delete removes only the checked object',
    edits: [
      inSource('operations/delete-path.ts', 'if (!sameFile(before, stat)) throw', 'if (before === undefined) throw'),
    ],
    test: test('changes', 'does not take the link instead'),
  },
  {
    rule: 'the quota counts what another thread reserved',
    edits: [inSource('quota.ts', 'openLedger(limits.ledger)', 'openLedger()')],
    test: { file: 'packages/workspace/src/quota.test.ts', name: 'what another thread reserved' },
  },
  {
    rule: 'the quota takes no two reservations for the same bytes',
    edits: [
      inSource('quota-ledger.ts', 'since, since + BigInt(bytes)) !== since', 'since, since + BigInt(bytes)) < 0n'),
    ],
    test: { file: 'packages/workspace/src/quota-ledger.test.ts', name: 'another thread began one since' },
  },
  {
    rule: 'the quota counts copies under way',
    edits: [
      inSource(
        'quota.ts',
        '    const ended = ledger.ended();\n    const count = ',
        '    const ended = ledger.begun();\n    const count = ',
      ),
    ],
    test: { file: 'packages/workspace/src/quota.test.ts', name: 'copies under way' },
  },
  {
    rule: 'an undo keeps a mode that was changed later',
    edits: [inSource('operations/put-back.ts', '    if (found.stat) keepLaterMode(kept, found.stat, stat);\n', '')],
    test: { file: 'packages/workspace/src/operations/put-back.test.ts', name: 'and the later mode' },
  },
  {
    rule: 'the quota counts what an undo brings back',
    edits: [inSource('operations/put-back.ts', 'end = enclosure.quota?.reserve(', 'Math.max(')],
    test: { file: 'packages/workspace/src/quota.test.ts', name: 'undo a deletion or an overwrite' },
  },
  {
    rule: 'the quota is checked before the rename',
    edits: [
      inSource(
        'operations/replace.ts',
        '    end = enclosure.quota?.reserve(content.length - (old?.size ?? 0), old ? 0 : 1);\n    let made',
        '    let made',
      ),
      inSource(
        'operations/replace.ts',
        '    return placed;\n  } catch (error) {\n    found.unmake',
        '    end = enclosure.quota?.reserve(content.length - (old?.size ?? 0), old ? 0 : 1);\n    return placed;\n  } catch (error) {\n    found.unmake',
      ),
    ],
    test: test('changes', 'that passes the quota leaves the old file as it was'),
  },
  {
    rule: 'a write is a temporary file and a rename',
    edits: [
      inSource(
        'operations/replace.ts',
        '    let made: Stats | undefined;\n',
        "    if (old) {\n      const fd = openSync(found.at, constants.O_WRONLY | constants.O_TRUNC | O_NOFOLLOW);\n      writeSync(fd, content);\n      closeSync(fd);\n      return { status: 'updated', version: '', changes: [] };\n    }\n    let made: Stats | undefined;\n",
      ),
    ],
    test: test('changes', 'never changes the old file in place'),
  },
  {
    rule: 'a change is on record before it is made',
    edits: [
      inSource(
        'operations/journal.ts',
        '  journal.intend(changes);\n  try {\n    const done = act();\n',
        '  try {\n    const done = act();\n    journal.intend(changes);\n',
      ),
    ],
    test: { file: IN_JOURNAL, name: 'records each change before it is made' },
  },
  {
    rule: 'a change is made under the lock of its directory',
    edits: [
      inSource(
        'resolve/lock.ts',
        'for (const dir of inOrder(places)) held.push',
        'for (const dir of inOrder(places).slice(9)) held.push',
      ),
    ],
    test: { file: LOST_UPDATES, name: 'makes every change busy after a bounded wait, and changes nothing' },
  },
  {
    rule: 'what is replaced is compared under the lock',
    edits: [inSource('operations/place-temp.ts', 'if (!before || isCurrent(root, found))', 'if (root)')],
    test: { file: LOST_UPDATES, name: 'before the lock is taken is not lost' },
  },
  {
    rule: 'what came out of an exchange is compared and put back',
    edits: [inSource('operations/exchange.ts', 'if (isOut(native, found, home, name)) {', 'if (native) {')],
    test: { file: LOST_UPDATES, name: 'keeps its version' },
  },
  {
    rule: 'the pepper is created exclusively',
    edits: [
      inSource('pepper.ts', '    linkSync(temporary, path);', '    unlinkSync(path);\n    linkSync(temporary, path);'),
    ],
    test: test('users', 'of the process that was first counts when two make it at the same time'),
  },
  {
    rule: 'a namespace needs a user',
    edits: [inSource('namespace.ts', "if (mode !== 'refused') return mode;", "return mode as 'isolated';")],
    test: test('users', 'is refused without a user when users are kept apart'),
  },
  {
    rule: 'tools serve the user they were made for',
    edits: [
      {
        file: 'packages/tools/src/workspace-source.ts',
        find: "if (namespaceMode(request) !== 'shared' && live !== bound) throw",
        replace: "if (live === undefined && bound === 'nobody') throw",
      },
    ],
    test: test('users', 'refuse to serve another'),
  },
  {
    rule: 'a sub-path is pinned below its directory',
    edits: [
      inSource(
        'workspace.ts',
        '? openSubRoot(dir, options.subPath, limits, {\n        denyList,\n        readOnly: options.readOnly ?? false,\n        resolver: options.resolver,\n      })',
        '? openRoot(`${dir}/${options.subPath}`, options.resolver)',
      ),
    ],
    test: test('boundary', 'is pinned below its directory'),
  },
  {
    rule: 'a sub-path is held from the moment it is found',
    edits: [
      inSource(
        'sub-root.ts',
        'const root = openRoot(join(outer.given, pinned), resolver, () => openBelow(enclosure, pinned, subPath));',
        'openBelow(enclosure, pinned, subPath).close();\n    const root = openRoot(join(outer.given, pinned), resolver);',
      ),
    ],
    test: test('boundary', 'that was removed and made again as a link does not lead outside'),
  },
  {
    rule: 'a recorded part is confined to its own directory',
    edits: [inParts('    subPath,\n', '')],
    test: ofParts('confines a part to its own directory'),
  },
  {
    rule: 'a read-only part makes no directory',
    edits: [inParts('if (options.readOnly !== true) {', 'if (options.readOnly !== undefined) {')],
    test: ofParts('a read-only part changes nothing'),
  },
  {
    rule: 'changes of a part are on record by their paths in the whole',
    edits: [inParts('path: inWhole(change.path)', 'path: change.path')],
    test: ofParts('by their paths in the whole'),
  },
  {
    rule: 'created parents are removed through real directories only',
    edits: [
      inSource(
        'resolve/dir.ts',
        'openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)',
        'openSync(path, O_PATH | O_DIRECTORY | (O_NOFOLLOW & 0))',
      ),
    ],
    test: test('boundary', 'is not removed where a link has taken the way there'),
  },
  {
    rule: 'no change crosses a mount',
    edits: [
      inSource('resolve/locate.ts', '(isChange ? RESOLVE_NO_XDEV : withinMount(enclosure))', 'withinMount(enclosure)'),
      inSource('resolve/locate.ts', 'if (!quick) requireMount(found.dir, found.parts);', ''),
    ],
    test: inMounts('refuses every change across it'),
  },
  {
    rule: 'no parent is made across a mount',
    edits: [inSource('resolve/walk.ts', '  requireMount(dir, parts);\n', '')],
    test: inMounts('refuses every change across it'),
  },
  {
    rule: 'no change of a mount point itself',
    edits: [inSource('resolve/locate.ts', '      requireNoMountPoint(enclosure, found);\n', '')],
    test: inMounts('refuses every change across it'),
  },
  {
    rule: 'a directory with a mount below is neither moved nor deleted',
    edits: [inSource('operations/move-path.ts', '  requireNoMountBelow(enclosure, found);\n', '')],
    test: inMounts('refuses to move or delete a directory that contains it'),
  },
  {
    rule: 'a removal enters no mount',
    edits: [inSource('remove-tree.ts', 'if (isOwn(fd)) await clear(', 'await clear(')],
    test: inMounts('keeps its content when a directory around it'),
  },
  {
    rule: 'a removal ends before its descriptors are closed',
    edits: [inSource('remove-tree.ts', 'afterwards.\n      await names.settled();', 'afterwards.')],
    test: {
      file: 'packages/workspace/src/remove-tree.test.ts',
      name: 'are complete when a removal ends early',
    },
  },
  {
    rule: 'a moved root is not used',
    edits: [inSource('resolve/root.ts', 'if (leadsTo(path_, dir, identity)) return;', 'if (isMoved(dir)) return;')],
    test: ofRoots('that was renamed is unavailable'),
  },
  {
    rule: 'a removed root is not opened again through a link',
    edits: [inSource('resolve/root.ts', 'if (realPathOf(fresh) !== path_) {', "if (path_ === '') {")],
    test: ofRoots('that was removed is not opened again through a link in its place'),
  },
  {
    rule: 'a served root is neither moved nor deleted',
    edits: [
      inSource(
        'operations/move-path.ts',
        'if (found.stat?.isDirectory() && holdsServedRoot(host))',
        "if (host === '')",
      ),
    ],
    test: ofRoots('a root served by this process is neither deleted nor moved'),
  },
  {
    rule: 'what the trash cannot keep is not deleted',
    edits: [
      inSource('operations/delete-path.ts', '        requireRoom(own, targets);\n', ''),
      inSource(
        'operations/remove-one.ts',
        'if (!enclosure.permanent) throw notUndoable(',
        'if (!found) throw notUndoable(',
      ),
    ],
    test: inUndoable('is refused and leaves everything as it was: a deletion'),
  },
  {
    rule: 'what the trash cannot keep is not overwritten',
    edits: [
      inSource('operations/keep-old.ts', 'if (enclosure.permanent) return undefined;', 'if (what) return undefined;'),
    ],
    test: inUndoable('is refused and leaves everything as it was: a write'),
  },
  {
    rule: 'a batch is dropped from the trash together',
    edits: [
      inSource(
        'trash.ts',
        'const name = itemName(group, { bytes, index });\n      before',
        'const name = itemName(newGroup(), { bytes, index });\n      before',
      ),
    ],
    test: inUndoable('is dropped from the trash together'),
  },
  {
    rule: 'versions of tools are dropped before originals',
    edits: [
      inSource(
        'trash-items.ts',
        '(isIntermediate(directory, group, written) ? intermediates : originals).push(group)',
        'originals.push(group)',
      ),
    ],
    test: {
      file: 'packages/workspace/src/trash.test.ts',
      name: 'drops the versions that tools wrote before the first original',
    },
  },
  {
    rule: 'a person is asked before content is lost for good',
    edits: [
      {
        file: 'packages/tools/src/toolsets.ts',
        find: 'takesPermanent(tool) ? confirmPermanent(tool, source) : tool',
        replace: 'takesPermanent(tool) && !confirmPermanent ? tool : tool',
      },
    ],
    test: {
      file: 'packages/tools/src/confirm-permanent.test.ts',
      name: 'changes nothing when the person declines or cannot be asked',
    },
  },
  {
    rule: 'bulk operations let other calls run',
    edits: [
      inSource(
        'pace.ts',
        'return performance.now() - began < SLICE_MS ? undefined : rest();',
        'return began < 0 ? rest() : undefined;',
      ),
    ],
    test: inBulk('is copied, moved to the trash, taken back and counted'),
  },
  {
    rule: 'a cancelled copy leaves nothing',
    edits: [inSource('pace.ts', 'for (const signal of signals) throwIfCancelled(signal);', '')],
    test: inBulk('leaves nothing when its copy is cancelled'),
  },
  {
    rule: 'a copy counts what its source grew by',
    edits: [
      {
        file: 'packages/workspace/src/operations/copy-path.ts',
        find: 'if (bytes > size.bytes || files > size.files) await',
        replace: 'if (bytes < 0) await',
      },
    ],
    test: {
      file: 'packages/workspace/src/operations/copy-path.test.ts',
      name: 'that grew beyond the quota after it was measured',
    },
  },
];
