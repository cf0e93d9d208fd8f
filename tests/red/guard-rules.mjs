// long: a table, as long as the guard has rules: each with the patch that takes it out and the test that must then fail.
import { HOLE_RULES } from './guard-hole-rules.mjs';
import { RECORD_AND_PAGE_RULES } from './guard-record-rules.mjs';

const SRC = 'packages/guard/src/';
const raw = String.raw;

/** A text in a file of the guard, and what takes its place. */
const inGuard = (file, find, replace = '') => ({ file: SRC + file, find, replace });
/** A rule, the test that must fail without it, and the edits that take it out. */
const rule = (name, test, ...edits) => ({ rule: `guard: ${name}`, edits, test });
const red = (file) => (name) => ({ file: `tests/red/guard-${file}.test.ts`, name });

const beside = (file, name) => ({ file: `${SRC}${file}.test.ts`, name });

const paths = red('paths');
const outside = (what) => paths(`leads outside with ${what}`);
const unresolvable = (what) => paths(`cannot be resolved with ${what}`);
const invalid = (what) => paths(`cannot be used with ${what}`);
const spelling = (find, replace) => inGuard('judge/spellings.ts', find, replace);
const WHOLE_QUOTES = spelling('if (quoted) add(quoted[2] as string);');
const LONE_QUOTES = spelling("add(text.replace(/^[\"'`]+|[\"'`]+$/g, ''));");
const CONTROLS = spelling(raw`add(text.replace(/[\x00-\x1f\x7f]+/g, ''));`);

/** Every reading of a written path. */
const SPELLING_RULES = [
  rule('blanks around a path', outside('blanks around it'), spelling('add(text.trim());')),
  rule('quotes around a path', outside('quotes around it'), WHOLE_QUOTES, LONE_QUOTES),
  rule('the quotes of a typographer', outside('the quotes of a typographer around it'), WHOLE_QUOTES),
  rule('a quote only before a path', outside('a quote only before it'), LONE_QUOTES),
  rule(
    'an @ before a path',
    outside('an @ before a climbing path'),
    spelling("const bare = text.replace(/^@+/, '');", 'const bare = text;'),
  ),
  rule(
    'an @ before an absolute path',
    outside('an @ before an absolute path'),
    spelling("(bare.startsWith('/') ? alias : texts).add(bare)", "if (!bare.startsWith('/')) texts.add(bare)"),
  ),
  rule(
    'percent escapes',
    outside('plain percent escapes'),
    spelling("if (text.includes('%')) add(percentDecoded(text));"),
  ),
  rule(
    'percent escapes twice',
    outside('percent escapes of percent escapes'),
    spelling('round < 3; round++', 'round < 1; round++'),
  ),
  rule(
    'overlong percent escapes',
    outside('overlong percent escapes'),
    spelling("given.replace(/%c0%ae/gi, '.').replace(/%c0%af/gi, '/')", 'given'),
  ),
  rule(
    'percent escapes beside a broken one',
    outside('percent escapes beside one that is none'),
    spelling(
      'return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));',
      'return text;',
    ),
  ),
  rule('escapes of programs', outside('escapes as programs write them'), spelling('add(unescaped(text));')),
  rule(
    'octal escapes',
    outside('octal escapes'),
    spelling(raw`.replace(/\\([0-3][0-7]{2})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))`),
  ),
  rule('escaped dots', outside('escaped dots'), spelling(raw`add(text.replace(/\\(?=[^A-Za-z0-9])/g, ''));`)),
  rule(
    'entities of HTML',
    outside('entities of HTML'),
    spelling(raw`if (/&#?\w+;/.test(text)) add(entitiesDecoded(text));`),
  ),
  rule('named entities of HTML', outside('named entities of HTML'), spelling("sol: '/',", "sol: '-',")),
  rule('NFKC', outside('full-width letters'), spelling('add(plainText(folded));')),
  rule(
    'slashes of other alphabets',
    outside('slashes of other alphabets'),
    spelling("text.replace(SLASHES, '/').replace", 'text.replace'),
  ),
  rule(
    'backslashes of other alphabets',
    outside('backslashes of other alphabets'),
    spelling(raw`.replace(BACKSLASHES, '\\')`),
  ),
  rule(
    'invisible characters',
    outside('invisible characters'),
    inGuard('judge/words.ts', "text.normalize('NFKC').replace(IGNORABLE, '')", "text.normalize('NFKC')"),
  ),
  rule('control characters within a path', outside('control characters'), CONTROLS),
  rule(
    'NUL within a path',
    outside('NUL'),
    CONTROLS,
    inGuard('judge/judge-path.ts', raw`place.locate(path.replace(/\0/g, ''))`, 'place.locate(path)'),
  ),
  rule(
    'file URLs',
    outside('the bare URL of a file'),
    spelling('add(fileUrlPath(rest));'),
    spelling("add(fileUrlPath(rest.replace(/[?#].*$/s, '')));"),
  ),
  rule(
    'file URLs of this host',
    outside('the URL of a file on this host'),
    spelling(
      "if (name === '' || name === 'localhost' || name === '127.0.0.1')",
      "if (name === 'localhost') return '.';\n  if (name === '')",
    ),
  ),
  rule(
    'file URLs with a query',
    outside('the URL of a file with a query'),
    spelling("add(fileUrlPath(rest.replace(/[?#].*$/s, '')));"),
  ),
  rule(
    'file URLs of another host',
    outside('the URL of a file on another host'),
    spelling('return `\\\\\\\\${host[1]}${path}`;', 'return path.slice(1);'),
  ),
  rule(
    '~',
    outside('the home directory'),
    spelling('tilde && home !== undefined ? home + text.slice(1) : text', 'text'),
  ),
  rule(
    '~user',
    outside("somebody's home directory"),
    spelling(`return "somebody's home directory";`, 'return undefined;'),
  ),
  rule(
    'a home nobody knows',
    paths('has a home that nobody knows'),
    spelling('if (tilde && home === undefined) {', 'if (tilde && home === null) {'),
  ),
  rule('$VAR', unresolvable('a variable of the shell'), spelling(raw`/\$(?=[A-Z0-9_]*[A-Z])[A-Z_][A-Z0-9_]*(?!\w)/,`)),
  rule('${VAR}', unresolvable('a variable in braces'), spelling(raw`/\$\{/,`)),
  rule('$(command)', unresolvable('a command in it'), spelling(raw`/\$\(/,`)),
  rule('$env:VAR', unresolvable('a variable of PowerShell'), spelling(raw`/\$env:/i,`)),
  rule('%VAR%', unresolvable('a variable of Windows'), spelling('/%(?![0-9a-f]{2}%)[a-z_][a-z0-9_()]*%/i,')),
  rule(
    '$home',
    unresolvable('a variable in small letters at its start'),
    spelling(raw`/^\$(?:home|pwd|`, raw`/^\$(?:`),
  ),
  rule(
    '`command`',
    unresolvable('a command between backticks'),
    spelling('/^`[^`]*[^`\\w./-][^`]*`$/,'),
    LONE_QUOTES,
    WHOLE_QUOTES,
  ),
  rule('schemes', unresolvable('a scheme'), spelling("return 'a URL';", 'return undefined;')),
  rule(
    'backslashes',
    outside('backslashes'),
    spelling(raw`const slashed = text.replace(/\\/g, '/');`, 'const slashed = text;'),
  ),
  rule(
    'drive letters',
    outside('a drive letter'),
    spelling("return 'a drive of Windows';", 'return undefined;'),
    inGuard(
      'judge/judge-path.ts',
      "return 'holds a colon, which names a second stream of a file on Windows';",
      'return undefined;',
    ),
  ),
  rule(
    'network shares',
    outside('a network share'),
    spelling("return 'a network share or a device';", 'return undefined;'),
    spelling(raw`if (!isWindows) yield slashed;`),
    spelling('yield posix.normalize(slashed);'),
    spelling('yield stripped;'),
    spelling('yield posix.normalize(stripped);'),
  ),
  rule('devices of Windows', outside('a device of Windows'), spelling("return 'a device';", "return 'some name';")),
  rule(
    'dots and blanks behind names',
    outside('a blank behind the dots'),
    spelling('yield stripped;'),
    spelling('yield posix.normalize(stripped);'),
  ),
  rule(
    '.. behind a link, taken by name',
    outside('a way up behind a link, taken by name'),
    spelling('yield posix.normalize(slashed);'),
    spelling('yield posix.normalize(stripped);'),
  ),
];

const judgePath = (find, replace) => inGuard('judge/judge-path.ts', find, replace);
const place = (find, replace) => inGuard('judge/place.ts', find, replace);
const remote = (find, replace) => inGuard('judge/place-remote.ts', find, replace);
const protect = (find, replace) => inGuard('judge/protect.ts', find, replace);

/** Where a path lies, and what stands against writing or reading it. */
const PLACE_RULES = [
  rule(
    'every reading counts, and not only the first',
    outside('plain percent escapes'),
    judgePath('for (const reading of readings) {', 'for (const reading of readings.slice(0, 1)) {'),
  ),
  rule(
    'outside-path',
    paths('is outside by its letters and by two dots'),
    judgePath(
      "if (spot.kind === 'outside') return { rule: 'outside-path', reason: outside(shown) };",
      "if (spot.kind === 'outside') return undefined;",
    ),
  ),
  rule(
    'outside by a link',
    paths('is outside where a link leads outside'),
    place(
      "    case 'link_outside':\n      return { kind: 'outside' };",
      "      return { kind: 'outside' };\n    case 'link_outside':\n      return { kind: 'inside', path: written, isRoot: false, isProject };",
    ),
  ),
  rule(
    'outside by a dangling link',
    paths('is outside where a link leads to nothing outside'),
    place(
      "    case 'link_outside':\n      return { kind: 'outside' };",
      "      return { kind: 'outside' };\n    case 'link_outside':\n      return { kind: 'inside', path: written, isRoot: false, isProject };",
    ),
  ),
  rule(
    'a dangling link is no beginning of a path',
    paths('is not inside by a link to nothing beside another name of the root'),
    place("if (parts[count - 1] === '..' || isThere(head)) return undefined;"),
    place(
      "case 'link_outside':\n      return { kind: 'outside' };",
      "      return { kind: 'outside' };\n    case 'link_outside':\n      return { kind: 'inside', path: written, isRoot: false, isProject };",
    ),
  ),
  rule(
    'hard links',
    paths('is refused where the file has a second name'),
    judgePath(
      "if (found.isHardLinked && !use.removes && role !== 'base')",
      "if (found.isHardLinked && role === 'base')",
    ),
  ),
  rule(
    'the whole root',
    paths('is refused where it is the root as a whole and is removed'),
    judgePath(
      "if (found.isRoot && use.removes && role === 'plain')",
      "if (found.isRoot && use.removes && role === 'output')",
    ),
  ),
  rule(
    'the whole root by an empty text',
    paths('is refused where a text names no path and the root would be removed'),
    inGuard(
      'judge/judge-own-paths.ts',
      "(one.written.trim() !== '' || (removes && one.role === 'plain')) &&",
      "one.written.trim() !== '' &&",
    ),
  ),
  rule(
    'a virtual root is not climbed out of',
    paths('may be a virtual one of the one tool that has such, and never climbs out of it'),
    judgePath(raw` && !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)`),
    judgePath('use.virtualRoot !== undefined && readings.every(', 'use.virtualRoot !== undefined && readings.some('),
  ),
  rule(
    '/dev/null is no write',
    paths('is the null device, which is no file'),
    judgePath("if (path === '/dev/null') return undefined;"),
  ),
  rule(
    'an alias is no path where nothing of its name stands at the top of the disk',
    paths('may hold a dollar, a bracket or an @ where these are ordinary names'),
    judgePath("if (top === undefined || (top !== '..' && !place.hasTop(top))) return undefined;"),
  ),
  rule(
    'invalid-path: control characters',
    invalid('control characters'),
    judgePath("return 'holds control characters';", 'return undefined;'),
  ),
  rule(
    'invalid-path: marks of direction',
    invalid('marks that turn its direction'),
    judgePath("return 'holds marks that turn the direction of its text';", 'return undefined;'),
  ),
  rule(
    'invalid-path: second streams',
    invalid('a second stream'),
    judgePath("return 'holds a colon, which names a second stream of a file on Windows';", 'return undefined;'),
  ),
  rule(
    'invalid-path: names of devices',
    invalid('the name of a device'),
    judgePath(
      "return { rule: 'invalid-path', reason: `Path '${shorten(shown)}' cannot be used: ${shorten(spot.reason)}` };",
      'return undefined;',
    ),
  ),
  rule(
    'invalid-path: trailing dots',
    invalid('a dot at the end of a name'),
    judgePath(
      "return { rule: 'invalid-path', reason: `Path '${shorten(shown)}' cannot be used: ${shorten(spot.reason)}` };",
      'return undefined;',
    ),
  ),
  rule(
    'unresolvable-path',
    unresolvable('a variable of the shell'),
    judgePath(
      'if (reading.unresolvable !== undefined) {',
      'if (reading.unresolvable !== undefined) return undefined;\n  if (reading.unresolvable !== undefined) {',
    ),
  ),
  rule(
    'a directory that only begins like the root',
    paths('is outside beside the root although its name begins alike'),
    place('if (!names.some((name) => normal === name || normal.startsWith(`${name}/`))) continue;', ''),
    place("    case 'outside':\n", ''),
  ),
  rule(
    'allowedRoots, and nothing else',
    paths('is written in, and nothing beside it'),
    place('const further = [...policy.allowedRoots,', 'const further = ['),
  ),
  rule(
    'remote: the rules of POSIX',
    paths('is judged by the rules of POSIX'),
    remote("  if (at === '..' || at.startsWith('../')) return undefined;\n  return byWindows", '  return byWindows'),
  ),
  rule(
    'remote: the rules of Windows',
    paths('is judged by the rules of Windows as well'),
    remote('return byWindows === undefined ? undefined : at;', 'return at;'),
  ),
  rule(
    'remote: drive-relative paths',
    paths('has no directory that a drive alone means'),
    remote(raw`if (/^[A-Za-z]:(?![\\/])/.test(path)) return undefined;`),
  ),
  rule(
    'remote: paths from the root of a drive',
    paths('has no root that a slash alone means'),
    remote(raw`if (/^[\\/](?![\\/])/.test(path) && isWindowsPath(root)) return undefined;`),
  ),
  rule(
    'remote: names of devices, trailing dots',
    paths('has no names of devices, and no trailing dots'),
    remote('if (at !== undefined && bad !== undefined)', 'if (at === bad && bad !== undefined)'),
  ),
  rule('protect', paths('is not written where it stands'), judgePath('if (glob !== undefined)', 'if (glob === null)')),
  rule(
    'protect: case',
    paths('is not written in another case'),
    protect('    .toUpperCase()\n    .toLowerCase()\n', ''),
  ),
  rule(
    'protect: invisible characters',
    paths('is not written with invisible characters in its name'),
    protect('const bare = plainText(name)', 'const bare = name'),
  ),
  rule(
    'protect: dots behind names',
    paths('is not written with dots behind its name'),
    protect(raw`.replace(/[. ]+$/, '')`),
  ),
  rule(
    'protect: streams',
    paths('is not written as a stream of itself'),
    protect("return bare.replace(/:.*$/s, '') || name;", 'return bare || name;'),
  ),
  rule(
    'protect: all of a directory',
    paths('is not written below its own directory'),
    protect(
      "if (r === rule.length) return kind === 'whole';",
      "if (r === rule.length) return kind === 'whole' && n === names.length;",
    ),
    protect(
      "if (part === '**') return step(r + 1, n, own) || step(r, n + 1, own);",
      "if (part === '**') return step(r + 1, n, own) || (n === 0 && step(r, n + 1, own));",
    ),
  ),
  rule(
    'protect: through a link',
    paths('is not written through a link'),
    judgePath(
      "protect.match(located) ?? (written.startsWith('/') || written === located ? undefined : protect.match(written))",
      "(written.startsWith('/') || written === located ? undefined : protect.match(written))",
    ),
    // What holds for the file `.git` finds it as well.
    judgePath('const glob = protect.match(`${path}/config.worktree`);', 'const glob = undefined;'),
  ),
  rule(
    'protect: a link by its own name',
    paths('is not written where the link itself has the name'),
    judgePath(" ?? (written.startsWith('/') || written === located ? undefined : protect.match(written))"),
  ),
  rule(
    'protect: what goes along with a directory',
    paths('does not go along with its directory'),
    judgePath('(removes ? protect.below(located) : undefined)', 'undefined'),
  ),
  rule(
    'denied-read',
    paths('is not read where it stands'),
    inGuard('judge/judge-own-paths.ts', "    if (secret) return block('denied-read', secret);\n"),
  ),
  rule(
    'denied-read: every reading',
    paths('is not read in any other spelling'),
    inGuard(
      'judge/read-rules.ts',
      'for (const { path } of readingsOf(written, { home: place.home, isWindows: place.isWindows })) {',
      'for (const path of [written]) {',
    ),
  ),
  rule(
    'denied-read: links',
    paths('is not read through a link'),
    inGuard('judge/read-rules.ts', 'forms.push(real);'),
    inGuard('judge/read-rules.ts', 'if (top !== undefined) forms.push(real.slice(top.length + 1));'),
  ),
  rule(
    'denied-read: the home directory',
    paths('is not read in the home directory'),
    inGuard('judge/read-rules.ts', '(inHome === undefined ? undefined : rules.home.match(inHome))', 'undefined'),
  ),
  rule(
    'denied-read: commands',
    paths('is not read by a command'),
    inGuard('judge/judge.ts', "if (secret) return block('denied-read', secret);"),
  ),
  rule(
    'denied-read: other tools',
    paths('is not named to a tool that does something else'),
    inGuard(
      'judge/judge-own-paths.ts',
      "if (kind === 'none' || kind === 'read') {",
      "if (kind === 'none') return allow('');\n  if (kind === 'read') {",
    ),
  ),
];

const judged = red('judge');
const inJudge = (find, replace) => inGuard('judge/judge.ts', find, replace);
const own = (find, replace) => inGuard('judge/judge-own-paths.ts', find, replace);
const args = (find, replace) => inGuard('judge/read-arguments.ts', find, replace);
const walk = (find, replace) => inGuard('judge/extract/paths.ts', find, replace);
const kind = (find, replace) => inGuard('judge/tool-kind.ts', find, replace);
const patch = (find, replace) => inGuard('judge/extract/patch.ts', find, replace);

/** What a call is read from, and what is judged of it. */
const CALL_RULES = [
  rule(
    'invalid-arguments: truncated JSON',
    judged('that are cut off block'),
    args(
      "throw new Stop('invalid-arguments', 'The arguments are not valid JSON, so it cannot be told what they mean');",
      'return {};',
    ),
  ),
  rule(
    'ambiguous-arguments: a key twice',
    judged('with a key twice block'),
    args('if (seen?.has(key))', 'if (seen === null)'),
  ),
  rule(
    'ambiguous-arguments: a key twice by escapes',
    judged('with a key twice in another spelling block'),
    args(raw`quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)`, 'quoted.slice(1, -1)'),
  ),
  rule(
    'ambiguous-arguments: __proto__ in text',
    judged('with __proto__ in their text block'),
    args('  if (PROTOTYPE_KEYS.has(key)) throw prototypeKey(key);\n  if (seen', '  if (seen'),
  ),
  rule(
    'ambiguous-arguments: __proto__ in an object',
    judged('with __proto__ in an object block'),
    args('if (!isList && PROTOTYPE_KEYS.has(key)) throw prototypeKey(key);'),
  ),
  rule(
    'too-large: depth of text',
    judged('nested too deep as text block'),
    args('if (open.length > MAX_ARGUMENT_DEPTH) throw tooDeep();'),
  ),
  rule(
    'too-large: depth of an object',
    judged('nested too deep as an object block'),
    args('if (depth >= MAX_ARGUMENT_DEPTH) throw tooDeep();'),
  ),
  rule(
    'too-large: text',
    judged('too long as text block'),
    args('if (text.length > MAX_ARGUMENT_CHARS) throw tooLarge();'),
  ),
  rule(
    'too-large: an object',
    judged('too long as an object block'),
    args('if (chars > MAX_ARGUMENT_CHARS) throw tooLarge();'),
  ),
  rule(
    "too-large: a tool's text",
    judged('too long as a tool’s text block'),
    inJudge("if (text.length > MAX_ARGUMENT_CHARS) throw new Stop('too-large', 'The input is too long to be judged');"),
  ),
  rule(
    'too-large: paths',
    judged('with too many paths block'),
    walk('if (found.candidates.size >= MAX_CANDIDATES)', 'if (found.candidates.size < 0)'),
  ),
  rule(
    'every candidate counts',
    judged('counts, and not only the first'),
    inGuard(
      'judge/part.ts',
      'const bad = findings.find((finding) => finding.problem);',
      'const bad = findings.slice(0, 1).find((finding) => finding.problem);',
    ),
  ),
  rule(
    'paths at any depth',
    judged('counts at any depth'),
    walk('visit(found, item, keeps ?', "if (typeof item !== 'object') visit(found, item, keeps ?"),
  ),
  rule(
    'keys as paths, under a key for files',
    judged('counts in a key'),
    walk("addCandidate(found, key, isNamed ? 'path' : 'guess', 'plain');"),
  ),
  rule(
    'keys as paths, by their looks',
    judged('counts in a key that looks like one, wherever it stands'),
    walk('if (isPathLike || (isNamed', 'if ((isNamed'),
  ),
  rule(
    'new names beside names of files',
    judged('counts beside a name of a file in a tool that renames'),
    inJudge('candidates: [...found.candidates, ...names] }', 'candidates: found.candidates }'),
  ),
  rule(
    'paths in JSON that is text',
    judged('counts in JSON that is text'),
    walk('} else if (!visitJson(found, text, spot)) visitPath', '} else visitPath'),
  ),
  rule(
    'paths under unknown names',
    judged('counts under a name nobody knows'),
    walk("} else if (text !== '') addCandidate(found, text, 'guess', 'plain');", '}'),
  ),
  rule(
    'paths under the names of the operator',
    judged('counts under a name the operator gave'),
    inGuard(
      'judge/extract/argument-keys.ts',
      'return hints.size > 0 && !KNOWN_PLACES',
      'return hints.size < 0 && !KNOWN_PLACES',
    ),
  ),
  rule(
    'paths under names that mostly hold them',
    judged('counts under a name that mostly holds a path'),
    walk(
      "if (meaning === 'loose' || meaning === 'aim') return addCandidate(found, text, 'loose', 'plain');",
      "if (meaning === 'loose' || meaning === 'aim') return;",
    ),
  ),
  rule(
    'file URLs among addresses',
    judged('counts in the URL of a file'),
    walk("addCandidate(found, text, 'path', 'plain');\n  } else if (!visit", '{}\n  } else if (!visit'),
  ),
  rule(
    'directories to start from',
    judged('counts joined with the directory beside it'),
    walk(
      "return addCandidate(found, text, text.includes('\\n') ? 'loose' : 'path', meaning === 'base' ? 'base' : 'output');",
      'return;',
    ),
  ),
  rule(
    'a path joined with its directory',
    judged('counts joined, where the directory alone lies inside'),
    own('[...judged, ...joined(court, candidates)]', '[...judged]'),
  ),
  rule(
    'a path where text is expected',
    judged('counts where text is expected and no path stands elsewhere'),
    own('if (bad !== undefined) return pathsPart([bad.one]);'),
  ),
  rule('invalid-path: no text', judged('is text'), own('if (found.odd !== undefined)', 'if (found.odd === null)')),
  rule(
    'content is content',
    judged('does not stand in the content'),
    walk("else if (meaning === 'content' || meaning === 'body') {", "else if (meaning === 'arguments') {"),
  ),
  rule(
    'names in any letters',
    judged('by its name in any letters'),
    kind('const plain = plainText(name);', 'const plain = name;'),
    inGuard('judge/words.ts', 'return plainText(name)', 'return name'),
  ),
  rule(
    'names below any prefix',
    judged('by its name below any prefix'),
    kind("plain.split(/__+|[.:/]+/).findLast((part) => part !== '') ?? plain", 'plain'),
    kind('const ending = all.slice(from)', 'const ending = all.slice(from).slice(99)'),
    kind("if (writes) return words.some((word) => FILE_NOUNS.has(word)) ? 'write' : 'unknown';"),
  ),
  rule(
    'the end of a name',
    judged('by the end of its name'),
    kind('if (names.has(ending)) return kind;', 'if (names === undefined) return kind;'),
    inGuard('policy/default-patterns.ts', "'str_replace',"),
  ),
  rule('words for a shell', judged('by a word for a shell'), kind("    return 'shell';\n", "    return 'unknown';\n")),
  rule(
    'words for writing beside words for files',
    judged('by a word for writing beside one for files'),
    kind("return words.some((word) => FILE_NOUNS.has(word)) ? 'write' : 'unknown';", "return 'unknown';"),
  ),
  rule(
    "the operator's patterns for tools",
    judged('by the operator’s patterns'),
    kind('[...policy.customToolPatterns, ', '['),
  ),
  rule(
    'shape of the arguments: a path and content',
    judged('by the shape of its arguments: a path and what to put there'),
    own('if (places.length > 0 && (found.hasBody || operations', 'if (places.length > 0 && (operations'),
  ),
  rule(
    'shape of the arguments: a command',
    judged('by the shape of its arguments: a command'),
    inJudge('...found.commands.filter(', '...found.commands.slice(isShell ? 0 : 99).filter('),
  ),
  rule(
    'shape of the arguments: a patch',
    judged('by the shape of its arguments: a patch'),
    inJudge('[...found.patches, ...found.texts] : found.patches;', '[...found.patches, ...found.texts] : [];'),
  ),
  rule(
    'shape of the arguments: an operation',
    judged('by what its editor is told to do'),
    walk('if (operation !== undefined) found.operations.add(operation);'),
  ),
  rule(
    'where a reading tool writes',
    judged('by where a reading tool puts what it read'),
    own('const outputs = candidates.filter(', 'const outputs = candidates.slice(0, 0).filter('),
  ),
  rule(
    'dispatch',
    judged('is judged with every other, and the worst counts'),
    inJudge('const parts = [\n    ...found.calls.map(', 'const parts = [\n    ...found.calls.slice(0, 1).map('),
  ),
  rule(
    'dispatch: the call within',
    judged('is judged by itself'),
    inJudge('const parts = [\n    ...found.calls.map(', 'const parts = [\n    ...found.calls.slice(99).map('),
  ),
  rule(
    'dispatch: arguments that are text',
    judged('is judged where its arguments are text'),
    walk(' || isJsonText(item));', ');'),
  ),
  rule(
    'dispatch: each of its names',
    judged('is judged by each of its names'),
    walk('new Set(names.map(', 'new Set(names.slice(0, 1).map('),
  ),
  rule(
    'too-large: calls within calls',
    judged('is not judged below too many others'),
    inJudge('at.depth > MAX_CALL_DEPTH || --at', '--at'),
  ),
  rule(
    'too-large: calls beside calls',
    judged('is not judged beside too many others'),
    inJudge('at.depth > MAX_CALL_DEPTH || --at.budget.left < 0', 'at.depth > MAX_CALL_DEPTH'),
  ),
  rule(
    'a block counts before what is undecided',
    judged('is blocked before what cannot be decided passes'),
    inGuard('judge/part.ts', "    parts.find((part) => part.outcome === 'block') ??\n"),
  ),
  rule(
    'text as a patch',
    judged('is read as a patch'),
    inJudge("if (patch.isPatch || name.kind === 'patch') parts.push", "if (name.kind === 'patch') parts.push"),
    inGuard('judge/extract/paths.ts', 'if (looksLikePatch(text)) found.patches.push(text);'),
  ),
  rule(
    'text as a command',
    judged('is read as a command'),
    inJudge(
      "if (name.kind === 'shell') parts.push(shellPart(court, [text], [''], dialectsOf(name, undefined)));\n  else if",
      'if',
    ),
  ),
  rule(
    'text as a path',
    judged('is read as a path'),
    inJudge(' : { value: text }, court.hints);', ' : {}, court.hints);'),
  ),
  rule(
    'text as JSON',
    judged('is read as JSON'),
    inJudge('? asJson(text) : { value: text }, court.hints);', '? {} : { value: text }, court.hints);'),
  ),
  ...['no-path-found', 'unknown-tool', 'undecidable-command'].map((name) =>
    rule(
      `strict decides ${name}`,
      judged(`is blocked by the strict mode: ${name}`),
      inJudge('if (court.policy.strict) return', 'if (court === undefined) return'),
    ),
  ),
  rule(
    'strict decides nothing in the default mode',
    judged('passes in the default mode, in all three cases, and says so'),
    inJudge('if (court.policy.strict) return', 'if (court) return'),
  ),
  rule(
    'strict decides exactly three things',
    judged('is nothing but these three: all other rules block in both modes'),
    inJudge(
      "if (part.outcome === 'block') return blocked(court, part.rule, part.reason, paths);",
      "if (part.outcome === 'block' && court.policy.strict) return blocked(court, part.rule, part.reason, paths);",
    ),
  ),
  rule(
    'undecidable-command: a program as text',
    judged('is a program given as text'),
    inJudge(
      "  if (name.kind === 'code')\n    return [undecided('undecidable-command', 'What a program given as text writes cannot be told')];\n",
    ),
  ),
  rule(
    'no-path-found: a patch without a file',
    judged('is a patch that names no file'),
    inJudge("? [undecided('no-path-found', 'The patch names no file, so it cannot be told what it changes')]", '? []'),
  ),
  rule(
    'no-path-found: a tool for patches without a patch',
    judged('is a tool for patches without one'),
    inJudge(
      "if (isMissing) return [undecided('no-path-found', 'No patch was found in a call of a tool that applies patches')];",
    ),
  ),
  rule(
    'undecidable-command: an environment',
    judged('is a command whose environment changes what it does'),
    inJudge("if (reason !== undefined) parts.push(undecided('undecidable-command', reason));"),
  ),
  rule(
    'failure: an exception blocks',
    judged('blocks when it fails'),
    inJudge(
      "return blocked(court, 'failure', 'The guard failed while it judged this call, so the call is blocked', []);",
      "return decide(court, allow('Failed'));",
    ),
  ),
  rule(
    'what stops a judge blocks',
    judged('blocks when it is stopped'),
    inJudge(
      'if (error instanceof Stop) return blocked(court, error.rule, error.message, error.paths);',
      "if (error instanceof Stop) return decide(court, allow('Stopped'));",
    ),
  ),
  rule(
    'no-project-root',
    judged('blocks while there is no root'),
    inJudge('if (place.root === undefined)\n    throw', 'if (place.root === null)\n    throw'),
  ),
  rule(
    'no-project-root: a root that is gone',
    judged('blocks where the root is gone'),
    inJudge("decision: 'block',\n      rule: 'no-project-root',", "decision: 'allow',\n      rule: 'no-project-root',"),
  ),
  rule(
    'excludedTools, and nothing else',
    judged('passes alone, and not what only looks like it'),
    inJudge('return pattern.test(name);', 'return new RegExp(pattern.source.slice(1)).test(name);'),
  ),
];

/** The headers of each kind of patch, and that its content is none. */
const PATCH_RULES = [
  rule(
    'patch headers: Codex',
    judged('of Codex count'),
    patch('const codex = CODEX.exec(line.trim());', 'const codex = CODEX.exec("");'),
  ),
  rule(
    'patch headers: padded',
    judged('of Codex count padded with blanks'),
    patch('CODEX.exec(line.trim())', 'CODEX.exec(line)'),
  ),
  rule(
    'patch headers: Move to',
    judged('of Codex that move count'),
    patch('Delete|Create|Move|Rename', 'Delete|Create|Rename'),
  ),
  rule(
    'patch headers: unified',
    judged('of unified diffs count'),
    patch('if (unified && next) return', 'if (unified === next) return'),
  ),
  rule(
    'patch headers: without the prefix',
    judged('of unified diffs count without their prefix'),
    patch(raw`if (/^[abciow]\//.test(text)) return [text, rest];`),
    patch("rest.startsWith('../') || ", ''),
  ),
  rule(
    'patch headers: +++ alone',
    judged('of unified diffs count where only one is there'),
    patch(raw`if (alone && /^@@ -\d/.test(second))`, 'if (alone && second === null)'),
  ),
  rule(
    'patch headers: quotes',
    beside('judge/extract/patch', 'are read as git quotes them'),
    patch('text = unquoted(text.slice(1, -1));', 'text = text.slice(1, -1);'),
  ),
  rule(
    'patch headers: hunks that lie',
    judged('of unified diffs count behind a hunk whose length is a lie'),
    patch('(pair.isSure || left.old + left.new === 0)', 'left.old + left.new === 0'),
  ),
  rule(
    'patch headers: context diffs',
    judged('of context diffs count'),
    patch('if (context && after) return', 'if (context === after) return'),
  ),
  rule(
    'patch headers: diff --git',
    judged('of git count'),
    patch('for (const path of gitNames(git[1] as string)) add(path);'),
  ),
  rule(
    'patch headers: rename',
    judged('of git that rename count'),
    patch('const moved = GIT.exec(line) ?? INDEX.exec(line);', 'const moved = INDEX.exec(line);'),
  ),
  rule(
    'patch headers: Index',
    judged('that begin with Index count'),
    patch('GIT.exec(line) ?? INDEX.exec(line)', 'GIT.exec(line)'),
  ),
  rule(
    'patch headers: binary files',
    judged('that tell of binary files count'),
    patch('/^(?:Only in|Binary files) /.test(line)', '/^(?:Only in) /.test(line)'),
  ),
  rule(
    'patch headers: search and replace',
    judged('above a block of search and replace count'),
    patch('add(nameAbove(lines, i));'),
  ),
  rule(
    'patch headers: links and submodules',
    judged('that make a link cannot be resolved'),
    inJudge("if (undecidable.length > 0) parts.push(block('unresolvable-path', undecidable[0] as string));"),
  ),
  rule(
    'patch content: added lines',
    judged('are not looked for in added lines'),
    patch('CODEX.exec(line.trim())', "CODEX.exec(line.replace(/^[+-]/, '').trim())"),
  ),
  rule(
    'patch content: hunks',
    judged('are not looked for in the lines of a hunk'),
    patch('(pair.isSure || left.old + left.new === 0)', '(pair.isSure || left)'),
  ),
  rule(
    'patch content: search and replace',
    judged('are not looked for in a block of search and replace'),
    patch('      i = end;\n      continue;\n', ''),
  ),
];

const commands = red('shell');
const writes = (what) => commands(`what a command writes ${what}`);
const open = (what) => commands(`it cannot be told what a command writes ${what}`);
const shell = (file, find, replace) => inGuard(`judge/extract/shell/${file}.ts`, find, replace);
const inCommands = (find, replace) => inGuard('judge/judge-shell.ts', find, replace);

const words = (what) => commands(`what a command writes, by other words ${what}`);

/** Commands that write by other words than their operands. */
const OTHER_WORD_RULES = [
  rule(
    'shell: options cut short',
    words('is what an option cut short names'),
    shell('options', 'names.some((one) => one.startsWith(written))', 'false'),
  ),
  rule(
    'shell: outputs of git',
    words('is what an option of a subcommand of git names'),
    shell('tools/git', '  noteGitOutputs(verb, inner);\n'),
  ),
  rule(
    'shell: repositories elsewhere',
    words('is a repository elsewhere'),
    shell('tools/git', 'if (READS.test(verb) && !changesRepository(verb, inner)) {', 'if (READS.test(verb)) {'),
  ),
  rule(
    'shell: what zip runs',
    words('is what zip runs to test an archive'),
    shell('tools/archives', 'if (command !== undefined) reader.runText([command.value], state.copy());'),
  ),
  rule(
    'shell: what ar makes',
    words('is what ar makes'),
    shell(
      'tools/archives',
      'const files = dashed.length > 0 ? operands : operands.slice(1);',
      'const files = operands.slice(1);',
    ),
  ),
  rule(
    'shell: tools under names of GNU',
    words('is written by a tool under its name of GNU'),
    shell('dispatch', 'GNU.exec(lower)?.[1] ?? '),
  ),
  rule(
    'shell: options of interpreters',
    words('is what an option of an interpreter names'),
    shell('tools/interpreters', '  noteOutputs(options, language, call);\n'),
  ),
  rule(
    'shell: values of options nobody told about',
    words('is the last of the operands, whatever stands behind it'),
    shell('writers', 'lastOperand(args, operands) : operands.length - 1', 'operands.length - 1 : operands.length - 1'),
  ),
  rule(
    'shell: clients of clouds',
    words('is the file a client of a cloud is given'),
    shell('tools/cloud', "  for (const file of files) if (file.value !== '-') reader.write(state, file);\n"),
  ),
  rule(
    'shell: names in addresses',
    words('is a file by the name in its address'),
    shell('tools/network', "  if (name !== '') reader.write(state, field(name, url.written));\n  else if", '  if'),
  ),
  rule(
    'shell: what archives hold',
    words('is all that an archive holds'),
    shell('tools/files', "if (members.length === 0) reader.write(state, field('.'), 'fills');"),
  ),
  rule(
    'shell: names in a directory, PowerShell',
    words('is a file in a directory, by the name it had, in PowerShell'),
    shell('powershell', '  if (PUTS.test(name)) putFiles(name, named, positions, session);\n'),
  ),
  rule(
    'shell: names in a directory, cmd',
    words('is a file in a directory, by the name it had, in cmd'),
    shell('cmd', '  if (PUTS.test(name)) putFiles(name, rest, state, reader);\n'),
  ),
  rule(
    'shell: switches of PowerShell cut short',
    words('is what a switch of PowerShell that is cut short stands before'),
    shell('powershell', 'if (!LONG_SWITCHES.some((one) => one.startsWith(name))) at += 1;', 'at += 1;'),
  ),
  rule(
    'shell: code that is fed',
    open('where a program reads its code from a file that is fed to it'),
    shell('command-reader', 'state.stdin = input === undefined ? field : undefined;'),
  ),
  rule(
    'shell: packages from elsewhere',
    open('where a package comes from no registry'),
    shell('tools/packages', 'if (ELSEWHERE.test(text) || text.includes(ANY))', 'if (text.includes(ANY))'),
  ),
  rule(
    'shell: programs from an address',
    open('where a program comes from an address'),
    shell(
      'tools/interpreters',
      'if (rest.some((one) => /^(?:https?|data|blob):/.test(one.value)))',
      'if (rest.length > 99)',
    ),
  ),
  rule(
    'shell: subscripts in the head of a loop',
    open('where the head of a loop has a subscript that runs a command'),
    shell('interpreter', '            checkArithmetic(wordsOf(part), state, (reason) => this.undecidable(reason));\n'),
  ),
  rule(
    'shell: subscripts of assignments',
    open('where an assignment has a subscript that runs a command'),
    shell(
      'evaluate-word',
      "  checkArithmetic(typeof index === 'string' ? index : index.text, expander.state, expander.undecidable);\n",
    ),
  ),
  rule(
    'shell: names made of listed ones',
    open('where names are made of what a tool lists'),
    shell('tools/names', 'if (isOpen || options.some((option) => !known.test(option.written))) return undefined;'),
  ),
  rule(
    'shell: find that follows links',
    open('where find follows links'),
    shell('tools/find', "if (values.some((value) => value === '-L' || value === '-follow')) return 'anything';"),
  ),
  rule(
    'shell: what ssh runs here',
    open('where ssh is told to run something here'),
    shell('tools/ssh', "  checkSshOptions(call, values('-o'), values('-F'));\n"),
  ),
  rule(
    'shell: ssh to this machine',
    open('where ssh leads back here'),
    shell('tools/ssh', "host === '' || HERE.test(host) ||", "host === '' ||"),
  ),
  rule(
    'shell: commands of pagers',
    open('where a pager is given commands'),
    shell('writers', "call.reader.undecidable(`'${call.name}' is given commands of its own.`);", 'return true;'),
  ),
  rule(
    'shell: programs for the other side of git',
    open('where git is given a program for the other side'),
    shell('tools/git-outputs', 'for (const program of values(...PROGRAMS))', 'for (const program of [] as Field[])'),
  ),
  rule(
    'shell: paths outside for programs nobody knows',
    commands('a command in a project gives a program nobody knows no path outside, when it is strict'),
    inCommands(
      "if (problem?.rule === 'outside-path' || problem?.rule === 'protected-path')",
      "if (problem?.rule === 'failure')",
    ),
  ),
  rule(
    'shell: wildcards that find something protected',
    commands('a command in a project changes what is protected by no wildcard, and what is not there is not meant'),
    inCommands('(isNew || mayBeThere(found.path, rest, removes, place, protect))', 'isNew'),
  ),
];

/** Commands: what they write, what cannot be told, and what is judged of that. */
const SHELL_RULES = [
  rule(
    'shell: redirections',
    writes('is the target of a redirection of a command'),
    shell('command-reader', '      this.write(state, field);\n      // `>!`', '      // `>!`'),
  ),
  rule(
    'shell: redirections without a command',
    writes('is the target of a redirection without a command'),
    shell('command-reader', '      this.redirects(node.redirects, state);\n      return', '      return'),
  ),
  rule(
    'shell: redirections of groups',
    writes('is the target of a redirection behind a group'),
    shell('interpreter', 'const fed = this.redirects(node.redirects, state) ?? input;', 'const fed = input;'),
  ),
  rule(
    'shell: programs that write',
    writes('is what a program that writes names'),
    shell(
      'dispatch',
      'if (writer !== undefined) applyWriter(call, writer);',
      'if (writer === null) applyWriter(call, writer);',
    ),
  ),
  rule(
    'shell: options that name an output',
    writes('is what an option for an output names'),
    shell(
      'other-program',
      'if (LOOKS_OUTSIDE.test(given.value) || (isSure && equals !== -1)) reader.write(state, given);',
    ),
  ),
  rule(
    'shell: /dev/null is no write',
    writes('is no null device and no terminal'),
    shell('reading', 'NO_FILE.test(path) || ', ''),
  ),
  rule(
    'shell: descriptors are no writes',
    writes('is no descriptor that is open already'),
    shell(
      'command-reader',
      raw`if (operator === '<&' || (operator === '>&' && /^(?:\d+-?|-|\uE001)$/.test(field.value))) continue;`,
    ),
  ),
  rule(
    'shell: cd is carried',
    writes('lies below the directory that was gone to'),
    shell('builtins', '  state.cwds = to;\n'),
  ),
  rule(
    'shell: a subshell keeps its cd',
    writes('lies below the directory a subshell went to, and no further'),
    shell(
      'interpreter',
      "case 'Subshell':\n        return plainResult(state, this.#body(node.body, state.copy()).output);",
      "case 'Subshell':\n        return plainResult(state, this.#body(node.body, state).output);",
    ),
  ),
  rule(
    'shell: the directory a call starts in',
    writes('lies below the directory a call starts in'),
    shell('read-command', "new ShellState([context.cwd === '.' ? '' : context.cwd])", "new ShellState([''])"),
  ),
  rule(
    'shell: a cd that may have failed',
    writes('lies where a cd that failed leaves the shell'),
    shell('builtins', 'const failure = isSure ? undefined : state.copy();', 'const failure = undefined;'),
  ),
  rule(
    'shell: substitutions are read',
    writes('stands in a substitution of a command'),
    shell(
      'command-reader',
      'const output = this.#deeper(() => this.#script(script, state.copy()));',
      'const output: readonly string[] = [ANY];',
    ),
  ),
  rule(
    'shell: substitutions of processes',
    writes('stands in a substitution of a process'),
    shell(
      'evaluate-word',
      "    case 'ProcessSubstitution':\n      expander.substitute(fedScript(part.text) ?? part.script);\n      return append(drafts, [PIPE_FILE]);",
      "    case 'ProcessSubstitution':\n      return append(drafts, [PIPE_FILE]);",
    ),
  ),
  rule(
    'shell: substitutions in arithmetic',
    writes('stands in arithmetic'),
    shell(
      'evaluate-word',
      "    case 'ArithmeticExpansion':\n      visitArithmetic(part.expression, expander);\n",
      "    case 'ArithmeticExpansion':\n",
    ),
  ),
  rule(
    'shell: variables',
    writes('stands in the value of a variable'),
    shell('parameter', 'if (own !== undefined) return own;'),
  ),
  rule(
    'shell: loops',
    writes('stands in each turn of a loop'),
    shell(
      'interpreter',
      'for (const value of values) {\n      state.assign',
      'for (const value of values.slice(0, 1)) {\n      state.assign',
    ),
  ),
  rule(
    'shell: branches',
    writes('stands in each branch'),
    shell('interpreter', 'if (node.else !== undefined) next = joinOutcome(this.#body(node.else, next)) ?? next;'),
  ),
  rule(
    'shell: functions',
    writes('stands in a function that is called'),
    shell(
      'dispatch',
      'const called = reader.runFunction(text, args, state);',
      'const called = undefined as Result | undefined;',
    ),
  ),
  rule(
    'shell: aliases',
    writes('stands in an alias'),
    shell('builtins', '    reader.runText([text], state.copy());\n    state.aliases.set(name, text);\n'),
  ),
  rule(
    'shell: braces',
    writes('stands in braces'),
    shell(
      'evaluate-word',
      'for (const one of expandBraces(text)) {',
      'for (const one of expandBraces(text).slice(0, 1)) {',
    ),
  ),
  rule(
    'shell: pipes',
    writes('stands behind a pipe'),
    shell(
      'interpreter',
      'for (const [index, command] of node.commands.entries()) {\n      const isLast',
      'for (const [index, command] of node.commands.slice(0, 1).entries()) {\n      const isLast',
    ),
  ),
  rule(
    'shell: wrappers',
    writes('stands behind wrappers'),
    shell(
      'wrappers',
      'const result = reader.runWords(inner, own, input);\n  return own === state',
      'const result = plainResult(own, [ANY]);\n  return own === state',
    ),
  ),
  rule(
    'shell: env',
    writes('stands behind env'),
    shell(
      'wrappers',
      'plainResult(state, reader.runWords(inner, own, input).output);\n}\n\nfunction runLocked',
      'plainResult(state, [ANY]);\n}\n\nfunction runLocked',
    ),
  ),
  rule(
    'shell: env with a directory',
    writes('lies where env goes to'),
    shell('wrappers', "for (const directory of values('-C', '--chdir'))", "for (const directory of values('-none'))"),
  ),
  rule(
    'shell: sh -c',
    writes('stands in the text of sh -c'),
    shell('shells', 'first === undefined ? [ANY] : reader.runText([first.value], own)', '[ANY]'),
  ),
  rule(
    'shell: eval',
    writes('stands in the text of eval'),
    shell('builtins', "return reader.runText([args.map((arg) => arg.value).join(' ')], state);", 'return NOTHING;'),
  ),
  rule(
    'shell: a document for an interpreter',
    writes('stands in a document for an interpreter'),
    shell(
      'command-reader',
      "if (redirect.type === 'HereDoc') input = this.#hereDocument(redirect, expander);\n      else if",
      "if (redirect.type === 'HereDoc') continue;\n      else if",
    ),
  ),
  rule(
    'shell: what is piped into a shell',
    writes('stands in what is piped into a shell'),
    shell('shells', 'return plainResult(state, reader.runText(input, own));', 'return plainResult(state, [ANY]);'),
  ),
  rule(
    'shell: a script the line wrote',
    writes('stands in a script the line wrote before it ran it'),
    shell('command-reader', 'if (isKnown) state?.contents.set(path, before + text);\n        else', ''),
  ),
  rule(
    'shell: operators in a list of words',
    writes('stands in a list of words whose operators a shell would read'),
    shell(
      'read-command',
      "    readText(plain.join(' '), state.copy(), dialect, gathered);\n",
      '    plain.reverse();\n',
    ),
  ),
  rule(
    'shell: the home directory',
    writes('stands in a home directory'),
    shell('evaluate-word', 'return HOME + value.slice(1);', 'return value.slice(2);'),
  ),
  rule(
    'shell: PowerShell',
    writes('stands in the words of PowerShell'),
    shell(
      'read-command',
      'if (looksLikePowerShell(clean)) readPowerShell(clean, state.copy(), new Interpreter(gathered));',
    ),
  ),
  rule(
    'shell: cmd',
    writes('stands in the words of cmd'),
    shell('read-command', 'if (looksLikeCmd(clean)) readCmd(clean, state.copy(), new Interpreter(gathered));'),
  ),
  rule(
    'undecidable-command: a dynamic path',
    open('where the path is not known'),
    shell('reading', 'if (!isKnown) this.undecidable', 'if (isKnown === null) this.undecidable'),
  ),
  rule(
    'undecidable-command: a dynamic command',
    open('where the command is not known'),
    shell('dispatch', "reader.undecidable('The command that runs is not known.');"),
  ),
  rule(
    'undecidable-command: a dynamic text for a shell',
    open('where a shell runs a text that is not known'),
    shell(
      'command-reader',
      "if (text.includes(ANY)) this.undecidable('Commands are made from text that is not known.');",
    ),
  ),
  rule(
    'undecidable-command: what another command made',
    open('where a shell runs what another command made'),
    shell('shells', "reader.undecidable('The shell runs a text that is not known.');"),
  ),
  rule(
    'undecidable-command: variables',
    open('where a variable changes what runs'),
    shell('environment', 'return `${name} decides what runs, or where it writes.`;', 'return undefined;'),
  ),
  rule(
    'undecidable-command: what cannot be parsed',
    open('where it is no command of any shell'),
    shell('command-reader', 'if (error !== undefined) this.undecidable', 'if (error === null) this.undecidable'),
  ),
  rule(
    'undecidable-command: control characters',
    open('where it holds control characters'),
    shell('read-command', "gathered.undecidable('The command holds control characters.');"),
  ),
  rule(
    'undecidable-command: length',
    open('where it is too long'),
    shell(
      'read-command',
      "if (text.length > MAX_COMMAND_LENGTH) return gathered.undecidable('The command is too long.');",
    ),
  ),
  rule(
    'undecidable-command: no end',
    open('where it never ends'),
    shell(
      'read-command',
      'gathered.undecidable(`The command could not be read: ${error instanceof Error ? error.message : String(error)}.`);',
    ),
  ),
  rule(
    'undecidable-command: what was found before counts',
    open('and what was found before counts all the same'),
    shell(
      'read-command',
      '  return gathered.result();\n}\n\nfunction readText',
      "  return gathered.result().undecidable.length > 0 ? { writes: [], reads: [], undecidable: [''] } : gathered.result();\n}\n\nfunction readText",
    ),
  ),
  rule(
    'outside-path: commands',
    commands('writes nothing outside'),
    inJudge("if (written.outcome === 'block') return written;"),
  ),
  rule(
    'outside-path: beside what is undecidable',
    commands('writes nothing outside beside what is undecidable'),
    inJudge(
      "if (written.outcome === 'block') return written;",
      "if (written.outcome === 'block' && reading.undecidable.length === 0) return written;",
    ),
  ),
  rule(
    'protected-path: commands',
    commands('writes nothing protected'),
    inCommands(
      "const found = judgePath({ written: path, weight: 'path', role: 'plain' }, place, protect, {",
      "const found = judgePath({ written: path, weight: 'path', role: 'plain' }, place, { ...protect, isEmpty: true }, {",
    ),
  ),
  rule(
    'outside-path: the directory of a command',
    commands('starts in no directory outside'),
    inJudge('if (at.problem) return [block(at.problem.rule, at.problem.reason, [at.verdict])];'),
  ),
  rule(
    'outside-path: relative to the directory of a command',
    commands('starts where it is told to'),
    inJudge("cwds.length > 0 ? [...new Set(cwds)] : ['']", "['']"),
  ),
  rule(
    'whole-root: commands',
    commands('does not remove all of the root in PowerShell'),
    inCommands('removed.has(bare(write.written))', 'false'),
  ),
  rule(
    'proxy: a line feed behind a carriage return',
    beside('proxy/sse', 'takes a line feed behind a carriage return of the chunk before for no frame of its own'),
    inGuard('proxy/sse.ts', '!this.#afterCr', 'true'),
  ),
  rule(
    'whole-root: find',
    commands('does not find and delete all of the root'),
    inGuard('judge/extract/shell/tools/find.ts', "finds === 'all' &&", 'false &&'),
  ),
  rule(
    'whole-root: all that is in it',
    commands('does not remove all that is in the root'),
    inCommands(
      'const found = judge(head, { removes: isAll });',
      'const found = judge(head, { removes: isAll && !head });',
    ),
  ),
  rule(
    'outside-path: links that a wildcard finds',
    commands('leads outside by no link that a wildcard finds'),
    inCommands("if (through.problem?.rule === 'outside-path') return through;"),
  ),
  rule(
    'unresolvable-path: up behind a wildcard',
    commands('goes up behind no wildcard'),
    inCommands("if (rest.includes('..'))", 'if (rest === parts)'),
  ),
  rule(
    'a command with its arguments',
    commands('is put together with its arguments'),
    walk('addSplitCommand(found, value);'),
  ),
  rule(
    'every command of a call',
    commands('is one of several'),
    walk("found.commands.push(...commandsIn(value, spot.meaning === 'commands'));"),
  ),
  rule(
    'what is typed into a shell',
    commands('is what is typed into it'),
    inJudge('...(isShell ? shellTexts(args, found.commands.length > 0) : []),'),
  ),
];

const wired = red('wires');
const wire = (file, find, replace) => inGuard(`wire/${file}.ts`, find, replace);
const stream = (find, replace) => inGuard('proxy/guard-stream.ts', find, replace);
const calls = (find, replace) => inGuard('proxy/judge-calls.ts', find, replace);
const TWICE = wire(
  'wire-json',
  'return colons !== undefined && countMembers(value) === colons ? { value } : undefined;',
  'return { value };',
);
const CASE = wire('wire-json', 'if (!names.has(key) && names.has(foldKey(key))) return true;', '');
const NOT_HELD = stream(
  "      case 'hold':\n        return this.#hold(frame);\n",
  "      case 'hold':\n        return this.#options.out(frame.raw);\n",
);
const UNREAD = stream(
  "this.fail('The reply holds a tool call that cannot be read for certain; it was stopped.');",
  'this.#pass(item);',
);

/** What the four protocols let out. */
const WIRE_RULES = [
  ...['openai-chat', 'openai-responses', 'anthropic'].map((name) =>
    rule(
      `the bytes of a call are held: ${name}`,
      wired(`a streamed reply of ${name} holds the bytes of a call until it was judged`),
      NOT_HELD,
    ),
  ),
  rule(
    'the bytes of a call are held: gemini',
    wired('a streamed reply of gemini holds the bytes of a call until it was judged'),
    stream(
      "      case 'finish':\n        this.#hold(frame);\n",
      "      case 'finish':\n        this.#options.out(frame.raw);\n",
    ),
  ),
  rule(
    'a blocked call leaves no byte: openai-chat',
    wired('a streamed reply of openai-chat leaves no byte of a call that is blocked'),
    wire(
      'openai-chat/reader',
      'const pieces = blocked.size === 0 && !this.#edits ? held :',
      'const pieces = blocked ? held :',
    ),
  ),
  rule(
    'a blocked call leaves no byte: openai-responses',
    wired('a streamed reply of openai-responses leaves no byte of a call that is blocked'),
    wire(
      'openai-responses/reader',
      'const pieces = held.flatMap((frame) => this.#pieces(frame));',
      'const pieces = held;',
    ),
  ),
  rule(
    'a blocked call leaves no byte: anthropic',
    wired('a streamed reply of anthropic leaves no byte of a call that is blocked'),
    wire(
      'anthropic/reader',
      'const pieces = changed ? held.flatMap((frame) => this.#pieces(frame)) : held;',
      'const pieces = held;',
    ),
  ),
  rule(
    'a blocked call leaves no byte: gemini',
    wired('a streamed reply of gemini leaves no byte of a call that is blocked'),
    wire(
      'gemini/reader',
      'const pieces = blocked.size === 0 && !this.#splice ? held :',
      'const pieces = blocked ? held :',
    ),
  ),
  ...['openai-chat', 'openai-responses', 'anthropic', 'gemini'].flatMap((name) => [
    rule(
      `a blocked call leaves no byte of a body: ${name}`,
      wired(`a streamed reply of ${name} in one piece leaves no byte of a call that is blocked`),
      inGuard(
        'proxy/guard-body.ts',
        'if (!verdicts.some((verdict) => verdict.blocked)) return { body: costed(body) };',
        'if (verdicts) return { body };',
      ),
    ),
    rule(
      `a key twice on the wire: ${name}`,
      wired(`a streamed reply of ${name} is stopped where a key stands twice, of which the last is harmless`),
      TWICE,
    ),
  ]),
  rule(
    'a call cut off by upstream is dropped',
    wired('drops a call that upstream never ended, and ends with an error'),
    stream(
      "if (this.#state === 'open' && this.holding) this.fail('The reply ended inside a tool call; the call was dropped.');",
      "if (this.#state === 'open' && this.holding) this.#release();",
    ),
  ),
  rule(
    'too-large: what is held of one reply',
    wired('blocks a call that is larger than what is held of one reply'),
    stream('if (this.#heldBytes + pending > this.#options.maxHeld) this.#overflow();'),
  ),
  rule(
    'too-large: what is held of all replies',
    wired('blocks a call for which there is no room beside all other replies'),
    stream('    else this.#overflow();\n'),
    stream('if (!budget.take(pending)) return this.#overflow();', 'budget.take(pending);'),
  ),
  rule('what cannot be read ends the reply', wired('ends at a call that cannot be read for certain'), UNREAD),
  rule(
    'nothing after the end',
    wired('lets nothing out after the end of the protocol'),
    stream(
      "      case 'drop':\n        return this.#note(frame.raw);\n",
      "      case 'drop':\n        return this.#pass(frame);\n",
    ),
  ),
  rule(
    'order behind a held call',
    wired('lets nothing out behind a call while it is held, and keeps the order'),
    stream(
      '  #pass(item: Frame | Buffer): void {\n    if (this.holding) return this.#hold(item);\n',
      '  #pass(item: Frame | Buffer): void {\n',
    ),
  ),
  rule(
    'the worst of several readings',
    wired('is that of the worst of several readings'),
    calls('for (const reading of call.readings) {', 'for (const reading of call.readings.slice(0, 1)) {'),
  ),
  rule(
    'failure: a judge that throws on a wire',
    wired('is a block where the judge throws'),
    calls('  } catch {\n    return FAILURE;\n', "  } catch {\n    return { ...FAILURE, decision: 'allow' };\n"),
  ),
  rule(
    'failure: no decision',
    wired('is a block where the judge gives no decision'),
    calls(
      "return decision?.decision === 'allow' || decision?.decision === 'block' ? decision : FAILURE;",
      'return decision;',
    ),
    calls("const refused = decision.decision !== 'allow';", "const refused = decision.decision === 'block';"),
  ),
  rule(
    'a call the wire cannot read',
    wired('is a block where the wire cannot read the call'),
    calls('if (call.fault) return FAULTS[call.fault];'),
  ),
  rule(
    'a call without a reading',
    wired('is a block where there is nothing to judge'),
    calls("return worst ?? FAULTS['ambiguous-arguments'];", "return worst ?? { ...FAILURE, decision: 'allow' };"),
  ),
  rule('a key twice in JSON on a wire', wired('is not read where a key stands twice'), TWICE),
  rule(
    'depth of JSON on a wire',
    wired('is not read where it is nested too deep to be written again'),
    wire('wire-json', 'if (++depth > MAX_DEPTH) return undefined;', '++depth;'),
  ),
  rule(
    'chat: indexes are renumbered',
    wired('has its surviving calls renumbered'),
    wire('openai-chat/edit-choices', '{ ...entry, index }', 'entry'),
  ),
  rule(
    'chat: the finish reason fits',
    wired('a chat completion promises no call where none is left'),
    wire(
      'openai-chat/edit-choices',
      "if (edit.withoutCalls && promisesCalls(choice.finish_reason)) choice.finish_reason = 'stop';",
    ),
  ),
  rule(
    'chat: escaped keys are read',
    wired('hides no call by an escaped key'),
    wire('openai-chat/reader', raw`|\[DONE\]|\\u00/i`, raw`|\[DONE\]/i`),
    wire('openai-chat/payload', raw`function_call|\\u00/i`, 'function_call/i'),
  ),
  rule('chat: other letter case', wired('hides no call by a key in other letter case'), CASE),
  rule(
    'chat: function_call',
    wired('hides no call in the old form'),
    wire(
      'openai-chat/reader',
      'const legacy = read.functionCall === undefined ? undefined : choice',
      'if (read.functionCall !== undefined) return { index: read.index, entries, functionCall: undefined };\n    const legacy = read.functionCall === undefined ? undefined : choice',
    ),
  ),
  rule(
    'chat: stray calls',
    wired('a chat completion hides no call where no client should look for one'),
    wire('openai-chat/payload', 'if (hasMisspeltKey(payload, TOP) || straysFrom(payload, holder)) return undefined;'),
  ),
  rule(
    'chat: line breaks only some see',
    wired('hides no call behind line breaks that only some see'),
    inGuard('proxy/sse.ts', 'const unclear = stranger || (bareCr && comment) ||', 'const unclear = stranger ||'),
  ),
  rule(
    'chat: a judged call stays what it was',
    wired('a chat completion adds nothing to a call that was judged'),
    wire(
      'openai-chat/reader',
      'if (!call || this.#reopens(choice, call, entry)) return undefined;',
      'if (!call) return undefined;',
    ),
  ),
  rule(
    'chat: names in pieces',
    wired('has a name in several pieces read in every way'),
    wire(
      'openai-chat/calls',
      'if (others.every((name) => name === first)) return [first];',
      'if (others) return [first];',
    ),
  ),
  rule(
    'chat: calls that share an index',
    wired('has calls that share an index read as one as well'),
    wire('openai-chat/calls', 'if (group.length < 2) return [];', 'if (group) return [];'),
  ),
  rule(
    'anthropic: the first input beside the fragments',
    wired('has the first input of a call judged beside its fragments'),
    wire('anthropic/blocks', 'if (!hasDeltas || !isEmpty(call.input))', 'if (!hasDeltas)'),
  ),
  rule(
    'anthropic: an input within a text',
    wired('has an input within a text judged'),
    wire('anthropic/blocks', 'if (inner !== undefined) texts.push(inner);'),
  ),
  rule(
    'anthropic: unknown types that look like calls',
    wired('has a block of an unknown type judged that looks like a call'),
    wire('anthropic/blocks', "const likeACall = 'input' in block && 'name' in block;", 'const likeACall = false;'),
  ),
  rule(
    'anthropic: the stop reason fits',
    wired('a message promises no call where none is left'),
    wire(
      'anthropic/reader',
      "promisesCalls ? pieceWithStop(frame, 'end_turn') : frame;",
      'promisesCalls ? frame : frame;',
    ),
  ),
  rule(
    'anthropic: a judged call stays what it was',
    wired('a message adds nothing to a call that was judged'),
    wire('anthropic/reader', "if (block?.call && block.call.state !== 'open') return 'broken';"),
  ),
  rule(
    'responses: the snapshot is rewritten',
    wired('has its snapshot rewritten'),
    wire('openai-responses/reader', 'if (!blocked && !this.#splice) return', 'if (mark) return'),
  ),
  rule(
    'responses: calls in the snapshot alone',
    wired('has a call judged that stands in the snapshot alone'),
    wire(
      'openai-responses/collector',
      'isObject(item) && isCallItem(item) ? this.#inSnapshot(item, at) : undefined',
      'undefined as Call | undefined',
    ),
  ),
  rule(
    'responses: events are numbered on',
    wired('has its events numbered without a gap'),
    wire('openai-responses/outgoing', 'edited.sequence_number = this.next++;'),
  ),
  rule(
    'responses: fragments beside the finished item',
    wired('has the fragments of a call judged beside the finished item'),
    wire('openai-responses/slot', '    bodies.push(body);\n'),
  ),
  rule(
    'responses: unknown kinds that look like calls',
    wired('has an item of an unknown kind judged that looks like a call'),
    wire(
      'openai-responses/items',
      'return item.call_id !== undefined || SAYING.some((key) => item[key] !== undefined);',
      'return false;',
    ),
  ),
  rule(
    'responses: calls within items',
    wired('hides no call within another item'),
    wire('openai-responses/payload', 'return isCallItem(item) || !hidesCall(Object.values(item));', 'return true;'),
    wire('openai-responses/payload', ' || hidesCall([payload], item)) return undefined;', ') return undefined;'),
  ),
  rule(
    'gemini: the other spelling',
    wired('hides no call in the other spelling'),
    wire('gemini/members', "return foldKey(key).replaceAll('_', '');", 'return foldKey(key);'),
  ),
  rule(
    'gemini: both spellings',
    wired('is stopped at a call in both spellings'),
    wire('gemini/members', '|| seen.has(entry.name)) return undefined;', ') return undefined;'),
    wire(
      'gemini/members',
      'if (value !== null && value !== undefined) read',
      'if (read[entry.name] === undefined) read',
    ),
  ),
  rule(
    'gemini: stray calls',
    wired('a reply of Gemini hides no call where no client should look for one'),
    wire('gemini/payload', 'return straysFrom(payload, parts) ? undefined : { root', 'return { root'),
  ),
  rule(
    'gemini: streamed arguments are held',
    wired('has a call judged only when all of its arguments are there'),
    NOT_HELD,
  ),
  rule(
    'gemini: no content without parts',
    wired('has never a content without parts'),
    wire('gemini/removal', "parts.length > 0 ? parts : [{ text: '' }]", 'parts'),
    wire(
      'gemini/removal',
      "edited.push({ text: (this.#notedCandidates.has(call.candidate) ? '\\n\\n' : '') + verdict.note });",
    ),
  ),
];

const doors = red('doors');
const hook = (find, replace) => inGuard('hook.ts', find, replace);
const inHook = (find, replace) => ({ file: 'apps/cli/src/commands/guard-hook.ts', find, replace });
const line = (find, replace) => inGuard('mcp/client-line.ts', find, replace);
const filter = (find, replace) => inGuard('mcp/mcp-filter.ts', find, replace);
const EXIT = inHook('const EXIT_BLOCK = 2;', 'const EXIT_BLOCK = 0;');
const exchange = (find, replace) => inGuard('proxy/exchange.ts', find, replace);

/** The hook, the door of an MCP server, and the proxy. */
const DOOR_RULES = [
  rule('hook: code 2 for what it cannot read', doors('blocks with code 2 what it cannot read'), EXIT),
  rule('hook: code 2 for an event it does not know', doors('blocks with code 2 an event it does not know'), EXIT),
  rule(
    'hook: code 2 for its configuration',
    doors('blocks with code 2 where its configuration cannot be used'),
    inHook('if (error instanceof UsageError) unusable = error;', ''),
  ),
  rule(
    'hook: a key twice',
    doors('blocks with code 2 a message with a key twice'),
    inHook('answerHook(readJson(readInput()), judge)', 'answerHook(JSON.parse(readInput()), judge)'),
    EXIT,
  ),
  rule(
    'hook: UTF-8',
    doors('blocks with code 2 what is no UTF-8'),
    inHook(
      "if (!isUtf8(bytes)) throw new Stop('invalid-arguments', 'The message of the hook is not UTF-8');",
      'if (!isUtf8(bytes)) return \'{"hook_event_name":"BeforeTool","tool_name":"Read","tool_input":{}}\';',
    ),
  ),
  rule(
    'hook: failure denies',
    beside('hook', 'is told no when judging fails, and nothing of why'),
    hook('{ output: format.deny(reason) };\n  }\n}', '{ output: format.pass };\n  }\n}'),
  ),
  rule(
    'hook: a block is told',
    beside('hook', 'is told of a block in its own format, with what is accepted instead'),
    hook(
      'return { output: format.deny(sayRefusal(decision)), decision };',
      'return { output: format.pass, decision };',
    ),
  ),
  rule(
    'hook: the own question of an agent is not skipped',
    beside('hook', 'is told nothing about an allowed call that would skip its own question'),
    hook(
      '    deny: denyAsClaude,\n    pass: undefined,',
      "    deny: denyAsClaude,\n    pass: { hookSpecificOutput: { permissionDecision: 'allow' } },",
    ),
  ),
  rule(
    'hook: unknown events are refused',
    beside('hook', 'is refused on standard error where the format is not known'),
    hook('if (format === undefined)\n      return {', 'if (format === undefined)\n      return event === 7 ? {} : {'),
  ),
  rule(
    'hook: malformed messages are denied',
    beside('hook', 'is denied in its format'),
    hook(
      "throw new Malformed('tool_input is no object');",
      "return { ...about(input, agent), name: '', arguments: {} };",
    ),
  ),
  rule(
    'hook: no empty reason',
    beside('hook', 'never gets an empty reason, which would let it through'),
    hook(" || 'Blocked by croft guard.'"),
  ),
  rule(
    'hook: patches of Codex',
    beside('hook', 'hands the call to the judge'),
    hook('? { ...call, arguments: { ...rest, input: command } }', '? call'),
  ),
  rule(
    'mcp: batches',
    beside('mcp/client-line', 'is refused: a batch'),
    line('if (Array.isArray(message))', 'if (message === undefined)'),
    line(
      "if (typeof message !== 'object' || message === null) return refuse(INVALID_REQUEST, 'Not a JSON-RPC message');",
      "if (Array.isArray(message)) return { kind: 'pass', bytes: line };",
    ),
  ),
  rule(
    'mcp: no JSON',
    beside('mcp/client-line', 'is refused: no JSON, like a call'),
    line(
      "return refuse(PARSE_ERROR, 'Not JSON: one message a line is expected');",
      "return { kind: 'pass', bytes: line };",
    ),
  ),
  rule(
    'mcp: duplicate keys',
    beside('mcp/client-line', 'is refused: a method twice'),
    line('if (seen.has(key)) return', 'if (seen === undefined) return'),
  ),
  rule(
    'mcp: duplicate keys by escapes',
    beside('mcp/client-line', 'is refused: an escaped key twice'),
    inGuard(
      'mcp/json-entries.ts',
      'key = JSON.parse(text.slice(i, close + 1)) as string;',
      'key = text.slice(i + 1, close);',
    ),
  ),
  rule(
    'mcp: __proto__',
    beside('mcp/client-line', 'is refused: a prototype'),
    line("if (key === '__proto__') return", "if (key === '') return"),
  ),
  rule(
    'mcp: keys in other letters',
    beside('mcp/client-line', 'is refused: a method in capitals'),
    line('if (key !== folded)', 'if (key === null)'),
  ),
  rule(
    'mcp: the method in another spelling',
    beside('mcp/client-line', 'is refused: a method in another spelling'),
    line('if (plainText(method).trim().toLowerCase() === CALL)', 'if (method === CALL)'),
  ),
  rule(
    'mcp: params are an object',
    beside('mcp/client-line', 'is refused: params in a list'),
    line(
      "if (!raw.startsWith('{')) return refuse(INVALID_REQUEST, 'A tool call needs params: an object', ids);",
      "if (!raw.startsWith('{')) return { kind: 'pass', bytes };",
    ),
  ),
  rule(
    'mcp: carriage returns',
    beside('mcp/client-line', 'is refused: a message within carriage returns'),
    line('if (body.includes(CR))\n', 'if (body === line.subarray(1))\n'),
  ),
  rule(
    'mcp: UTF-8',
    beside('mcp/client-line', 'is refused when it is no UTF-8'),
    line("if (!isUtf8(body)) return refuse(PARSE_ERROR, 'The message is not UTF-8');"),
  ),
  rule(
    'mcp: line breaks within strings',
    beside('mcp/client-line', 'cannot hide a line from a server that breaks lines elsewhere'),
    line('(rest, [separator, escape]) => rest.replaceAll(separator.toString(), escape)', '(rest) => rest'),
  ),
  rule(
    'mcp: a name twice cannot be judged',
    beside('mcp/client-line', 'is a call that cannot be judged: the name twice'),
    line("if (problem !== undefined) return { rule: 'ambiguous-arguments', reason: problem };"),
  ),
  rule(
    'mcp: arguments are an object',
    beside('mcp/client-line', 'is a call that cannot be judged: arguments as a list'),
    line("return { rule: 'invalid-arguments', reason: 'The arguments are no JSON object' };", 'return undefined;'),
  ),
  rule(
    'mcp: arguments as they were written',
    doors('judges the arguments as they were written'),
    line("args === 'null' ? undefined : args }", 'given }'),
  ),
  rule(
    'mcp: a blocked call is not forwarded',
    doors('forwards no call that is blocked'),
    filter("if (decision.decision === 'allow' || mode === 'dry-run')", 'if (decision)'),
  ),
  rule(
    'mcp: failure blocks',
    doors('forwards no call when the judge throws'),
    filter(
      '    } catch {\n      return FAILURE;\n',
      "    } catch {\n      return { ...FAILURE, decision: 'allow' };\n",
    ),
  ),
  rule(
    'mcp: no decision blocks',
    doors('forwards no call when the judge gives no decision'),
    filter("decision?.decision === 'allow' || decision?.decision === 'block' ? decision : FAILURE", 'decision'),
    filter("if (decision.decision === 'allow' || mode", "if (decision.decision !== 'block' || mode"),
  ),
  rule(
    'mcp: a call that cannot be judged blocks',
    doors('forwards no call that cannot be judged'),
    filter('if (read.fault) return faulty(read.fault.rule, read.fault.reason);'),
  ),
  rule(
    'mcp: what is refused is not forwarded',
    doors('forwards nothing it refuses'),
    filter("if (mode === 'dry-run') return { forward: line };", 'return { forward: line };'),
  ),
  rule(
    'mcp: too large',
    beside('mcp/mcp-door', 'answers what is too large under its id, keeps none of it, and goes on'),
    inGuard('mcp/line-cutter.ts', 'if (this.#length <= this.#maxBytes) return;', 'if (this.#length) return;'),
  ),
  rule(
    'proxy: unknown endpoints',
    doors('refuses an endpoint it does not know, and asks nobody'),
    inGuard(
      'proxy/routes.ts',
      "return { kind: 'refuse', reason: 'its replies may hold tool calls that the guard does not judge' };",
      "return { kind: 'pass' };",
    ),
  ),
  rule(
    'proxy: endpoints in another spelling',
    doors('knows an endpoint spelled in another way'),
    inGuard('proxy/routes.ts', 'path = decoded;', 'break;'),
  ),
  rule(
    'proxy: stored replies',
    doors('refuses stored replies that may hold calls'),
    inGuard('proxy/routes.ts', 'if (!CALLS_BY_GET.some((pattern) => pattern.test(path))) return', 'if (path) return'),
  ),
  rule(
    'proxy: websockets',
    doors('refuses a websocket'),
    inGuard('proxy/proxy.ts', "server.on('upgrade', (_req, socket) => refuseUpgrade(socket));"),
  ),
  rule(
    'proxy: unknown content types',
    doors('refuses a content type it does not know'),
    exchange(
      'if (opened === undefined || !bytes) {',
      'if (opened === undefined || !bytes) {\n      if (opened === undefined) return this.#passUnread(reply);',
    ),
  ),
  rule(
    'proxy: charsets',
    doors('refuses a charset it does not read'),
    inGuard(
      'proxy/judged-request.ts',
      'if (charset !== undefined && !/^(utf-?8|us-ascii)$/.test(charset)) return undefined;',
    ),
  ),
  rule(
    'proxy: codings',
    doors('refuses a coding it does not know'),
    inGuard('proxy/upstream.ts', 'if (!decoder) return undefined;', 'if (!decoder) return reply;'),
    exchange(
      'if (opened === undefined || !bytes) {',
      'if (bytes === reply) return this.#passUnread(reply);\n    if (opened === undefined || !bytes) {',
    ),
  ),
  rule(
    'proxy: redirects',
    doors('refuses a redirect'),
    exchange(
      "return this.refuse(502, 'The upstream redirects; a client that followed would go round the guard.');",
      'return this.#passUnread(reply);',
    ),
  ),
  rule(
    'proxy: too-large',
    doors('refuses a reply in one piece that is too large'),
    inGuard('proxy/body-reply.ts', 'if (size + chunk.length > max ||', 'if ('),
  ),
  rule(
    'proxy: a body that cannot be read',
    doors('refuses a reply in one piece that cannot be read'),
    inGuard('proxy/guard-body.ts', "return options.enforce ? 'broken' : { body };", 'return { body };'),
  ),
  rule(
    'proxy: bytes that are no text',
    doors('refuses bytes that some clients would read as another encoding'),
    inGuard('proxy/is-text.ts', 'return !bytes.includes(0) && isUtf8(bytes);', 'return true;'),
  ),
  rule(
    'proxy: requests of foreign pages',
    doors('passes no request on that a foreign page could have sent'),
    inGuard('proxy/proxy.ts', 'if (foreign !== undefined) {', 'if (foreign === "") {'),
  ),
  rule(
    'proxy: a call in which upstream breaks off',
    doors('drops a call in which upstream breaks off, and says so'),
    inGuard('proxy/stream-reply.ts', 'if (this.#guard.holding || isIdle(error)) {', 'if (isIdle(error)) {'),
  ),
  rule(
    'proxy: no judge, no call',
    doors('lets no call through when no judge can be made'),
    exchange('      this.#judge = undefined;\n', '      return this.#passUnread(reply);\n'),
  ),
  rule(
    'proxy: no record, no call',
    doors('lets no call through when its decision cannot be written down'),
    exchange(
      'return judgeCalls(calls, failing, this.enforce);',
      'return judgeCalls(calls, judge ? (call) => judge.judge(call) : failing, this.enforce);',
    ),
  ),
  rule(
    'proxy: its limit',
    doors('takes no request past its limit'),
    inGuard('proxy/proxy.ts', 'budget.full || open >= limits.maxOpen', 'budget.full'),
  ),
  rule(
    'proxy: asks as often as it may',
    doors('asks again with the calls refused, and no more often than it may'),
    inGuard('proxy/stream-reply.ts', 'if (this.#isAsking) return;'),
  ),
  rule(
    'hook: relative paths are meant from where the agent works',
    beside('judge/place-from', 'means relative paths from there'),
    inGuard('judge/place-from.ts', 'isAbsolute(path) ? path : join(cwd, path)', 'path'),
  ),
  rule(
    'root: never a home, nothing above one',
    beside('policy/project-root', 'is never the home directory, whatever is in it'),
    inGuard(
      'policy/project-root.ts',
      'for (let dir = first; !isTooHigh(dir, realHome); dir = dirname(dir)) dirs.push(dir);',
      "for (let dir = first; dir !== '/'; dir = dirname(dir)) dirs.push(dir);",
    ),
  ),
  rule(
    'proxy: pages of other hosts',
    doors('is asked by no foreign page: another host'),
    inGuard(
      'decisions/own-host.ts',
      "if (host === undefined || !hostnames.includes(host.hostname)) return 'Host not allowed';",
      "if (host === undefined) return 'Host not allowed';",
    ),
  ),
  rule(
    'proxy: pages of other origins',
    doors('is asked by no foreign page: another origin'),
    inGuard('decisions/own-host.ts', "return isOurs ? undefined : 'Origin not allowed';", 'return undefined;'),
  ),
];

/** @type {{rule: string, edits: {file: string, find: string, replace: string}[], test: {file: string, name: string}}[]} */
export const GUARD_RULES = [
  ...SPELLING_RULES,
  ...PLACE_RULES,
  ...CALL_RULES,
  ...PATCH_RULES,
  ...SHELL_RULES,
  ...OTHER_WORD_RULES,
  ...WIRE_RULES,
  ...DOOR_RULES,
  ...HOLE_RULES,
  ...RECORD_AND_PAGE_RULES,
];
