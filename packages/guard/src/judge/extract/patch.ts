/** The contents of a patch's headers. */
export interface PatchReading {
  /** Every path that a header names, with each prefix that a client may strip. */
  readonly paths: readonly string[];
  /** Reasons why the paths do not cover everything the patch changes. */
  readonly undecidable: readonly string[];
  /** The text has headers; a text that is not a patch has none. */
  readonly isPatch: boolean;
}

const CODEX =
  /^\*{3}\s*(?:Add|Update|Delete|Create|Move|Rename|Copy|Modify|Replace|Overwrite|Write|Edit|Remove|Append)\b[^:]*:\s*(\S.*)$/i;
const GIT = /^(?:rename|copy) (?:from|to) (.+)$/i;
const INDEX = /^(?:Index|Property changes on|Prereq):? +(.+)$/i;
const LINK =
  /^(?:new file mode|new mode|old mode|deleted file mode|index [0-9a-f]+\.\.[0-9a-f]+)\s+(?:120000|160000)\s*$/;
const MAX_HEADER = 8_192;
const SEARCH = /^\s*(?:<{5,9}\s*(?:SEARCH|ORIGINAL|HEAD)\b|-{5,9}\s*SEARCH\b)/i;
const REPLACED = /^\s*(?:>{5,9}\s*(?:REPLACE|UPDATED)\b|\+{5,9}\s*REPLACE\b)/i;

/**
 * Reads the headers of a patch as leniently as the clients that apply them: Codex (`*** Update File: x`, padded with
 * blanks or not), unified and context diffs, git's extended headers, search/replace blocks with a file name above.
 * Content lines are never headers: lines that begin with `+` or `-`, and lines between the marks of a search/replace
 * block. Exception: a pair of `---` and `+++` lines before `@@` is a header anywhere, because clients differ in whether
 * they count a hunk's lines.
 */
export function readPatch(text: string): PatchReading {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029\u0085]/);
  const paths = new Set<string>();
  const undecidable: string[] = [];
  const isCodex = lines.some((line) => /^\s*\*{3} Begin Patch/i.test(line));
  let isPatch = isCodex;
  let left = { old: 0, new: 0 };
  const ends = isCodex ? undefined : blockEnds(lines);
  const add = (written: string | undefined): void => {
    isPatch = true;
    for (const path of headerPaths(written ?? '')) paths.add(path);
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    const end = left.old + left.new > 0 || !SEARCH.test(line) ? undefined : ends?.[i];
    if (end !== undefined) {
      add(nameAbove(lines, i));
      i = end;
      continue;
    }
    // Clients trim the line before they look for their marks. A content line begins with a plus or minus.
    const codex = CODEX.exec(line.trim());
    if (codex) {
      left = { old: 0, new: 0 };
      const names = codex[1] as string;
      for (const path of names.length > MAX_HEADER ? [names] : names.split(/\s+(?:->|=>|→)\s+/)) add(path);
      continue;
    }
    const pair = pairAt(lines, i);
    if (pair !== undefined && (pair.isSure || left.old + left.new === 0)) {
      left = { old: 0, new: 0 };
      add(pair.old);
      add(pair.new);
      i++;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) left = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
    else if (left.old + left.new > 0) countDown(left, line);
    readGitLine(line, add, undecidable);
  }
  return { paths: [...paths], undecidable, isPatch };
}

function countDown(left: { old: number; new: number }, line: string): void {
  const mark = line[0];
  if (mark === '+') left.new = Math.max(0, left.new - 1);
  else if (mark === '-') left.old = Math.max(0, left.old - 1);
  else if (mark !== '\\') {
    left.old = Math.max(0, left.old - 1);
    left.new = Math.max(0, left.new - 1);
  }
}

function readGitLine(line: string, add: (written: string) => void, undecidable: string[]): void {
  const git = /^diff (?:--git|--cc|--combined) (.+)$/.exec(line);
  if (git) {
    for (const path of gitNames(git[1] as string)) add(path);
    return;
  }
  // Before `Index:`, whose colon some clients leave out.
  if (LINK.test(line)) {
    undecidable.push('The patch makes a link or a submodule, and a write through it may change any file');
    return;
  }
  const moved = GIT.exec(line) ?? INDEX.exec(line);
  if (moved) add(moved[1] as string);
  else if (/^(?:Only in|Binary files) /.test(line)) {
    for (const path of line.replace(/^(?:Only in|Binary files) | differ$/g, '').split(/ and |: /)) add(path);
  }
}

/** A header of a unified diff (`---`, `+++`) or of a context diff (`***`, `---`). Certain if a hunk follows. */
function pairAt(
  lines: readonly string[],
  i: number,
): { readonly old: string; readonly new: string; readonly isSure: boolean } | undefined {
  const [first = '', second = '', third = ''] = [lines[i], lines[i + 1], lines[i + 2]];
  const unified = /^--- (.+)$/.exec(first);
  const next = /^\+\+\+ (.+)$/.exec(second);
  if (unified && next) return { old: unified[1] as string, new: next[1] as string, isSure: third.startsWith('@@') };
  const context = /^\*\*\* (?!\d+(?:,\d+)? \*{4})(.+)$/.exec(first);
  const after = /^--- (.+)$/.exec(second);
  if (context && after) return { old: context[1] as string, new: after[1] as string, isSure: /^\*{5,}/.test(third) };
  // `patch` accepts a single line where no hunk is open.
  const alone = /^\+\+\+ (.+)$/.exec(first);
  if (alone && /^@@ -\d/.test(second)) return { old: '', new: alone[1] as string, isSure: true };
  return undefined;
}

/** Names in `diff --git a/x b/x` may contain blanks, so both halves of every possible split are returned. */
function gitNames(text: string): string[] {
  if (text.length > 2 * MAX_HEADER) return [text];
  const quoted = text.match(/"(?:[^"\\]|\\.)*"/g);
  if (quoted) return [...quoted, text.replace(/"(?:[^"\\]|\\.)*"/g, '').trim()].filter((name) => name !== '');
  const cut = text.search(/ (?:b|w|i|c|o)\//);
  if (cut > 0) return [text.slice(0, cut), text.slice(cut + 1)];
  return text.split(/\s+/);
}

function headerPaths(written: string): string[] {
  // Longer than any path; the judge refuses it unchanged.
  if (written.length > MAX_HEADER) return [written];
  let text = written
    .trim()
    .replace(/\t.*$/s, '')
    .replace(/ +\d{4}-\d\d-\d\d \d\d:\d\d.*$/, '')
    .trim();
  if (/^".*"$/s.test(text)) text = unquoted(text.slice(1, -1));
  if (text === '' || text === '/dev/null') return [];
  // Clients strip no prefix or the first component, so check both.
  const stripped = /^[^/]*\/+/.exec(text);
  const rest = stripped ? text.slice(text.indexOf('/') + 1) : '';
  if (/^[abciow]\//.test(text)) return [text, rest];
  return rest.startsWith('../') || /^[^/]+\/\/+/.test(text) ? [text, rest] : [text];
}

function unquoted(text: string): string {
  const bytes = text.replace(/\\(?:([0-3][0-7]{2})|(.))/gs, (_, octal?: string, char?: string) =>
    octal === undefined
      ? ({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }[char as string] ?? (char as string))
      : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  // Octal escapes are UTF-8 bytes, unless the text has other characters too.
  return /^[\x00-\xff]*$/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

/** The file name above a block or above its fence, as Aider and similar clients write it. */
function nameAbove(lines: readonly string[], at: number): string | undefined {
  for (let i = at - 1; i >= Math.max(0, at - 3); i--) {
    const line = (lines[i] as string).trim();
    if (line === '' || /^(?:```|~~~)/.test(line)) continue;
    if (line.length > MAX_HEADER) return undefined;
    if (REPLACED.test(line)) return undefined;
    const name = line.replace(/^[#*`\s]+|(?<![*`:\s])[*`:\s]+$/g, '');
    return /^(?:\S+|.*[./\\]\S+)$/.test(name) && !/^:?(?:start|end)_line\b/.test(name) ? name : undefined;
  }
  return undefined;
}

/**
 * For every line, the end of the block that starts there. Undefined if a block does not end or contains what is
 * certainly a patch: then its lines are read like all others. Scans from the end, so that a thousand starts cost one
 * pass.
 */
function blockEnds(lines: readonly string[]): readonly (number | undefined)[] | undefined {
  if (!lines.some((line) => SEARCH.test(line))) return undefined;
  const ends: (number | undefined)[] = [];
  let next: number | undefined;
  for (let i = lines.length - 1; i >= 0; i--) {
    ends[i] = next;
    if (REPLACED.test(lines[i] as string)) next = i;
    else if (pairAt(lines, i)?.isSure) next = undefined;
  }
  return ends;
}
