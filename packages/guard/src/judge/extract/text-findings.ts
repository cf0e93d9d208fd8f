import type { KeyMeaning } from './argument-keys.ts';
import { type Found, type Spot, addCandidate } from './findings.ts';

/** A value that is an option: a program that receives it unquoted writes to that place. */
const OUTPUT_OPTION =
  /^\s*(?:--(?:output|out|outfile|out-?file|output-?(?:file|dir|directory|path|document)|dest|destination|export|save|save-to|log-?file|target-directory|git-dir|work-tree|separate-git-dir|directory-prefix)(?:=|\s+)|-[oO]\s*(?=[/~.\\]|[A-Za-z]:))(.+)$/s;

/** An option that names a program. */
const PROGRAM_OPTION =
  /^\s*--(?:upload-pack|receive-pack|exec|exec-batch|exec-path|pre|config|config-env|open-files-in-pager|ext-diff|extcmd|use-compress-program|to-command|checkpoint-action|rsh|hostname-bin|search-zip-bin|template|pager|editor)(?:=|\s+)\S/;

const QUERY_KEYS =
  /^(?:sql|query|queries|statement|statements|sqlquery|querytext|querystring|rawsql|sqltext|sqlstatement)$/;

/** A SQL statement, and the parts of one that write a file or run a program. */
const STATEMENT =
  /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:copy|select|with|delete|update|alter|drop|use|if|declare|merge|replace|truncate|vacuum|attach|export|install|load|unload|backup|explain|create|do|exec|execute|call|pragma|insert|begin|set)\b/i;

const FILE_STATEMENT =
  /\bcopy\b[^;]{0,4000}\bto\s+(?!stdout)(?:'|"|\$|program\b)|\bcopy\b[^;]{0,4000}\bfrom\s+program\b|\binto\s+(?:outfile|dumpfile)\b|\bvacuum\b[^;]{0,4000}\binto\b|\battach\s+(?:database\b|['"])|\b(?:writefile|load_extension|lo_export|pg_file_write|xp_cmdshell|sys_exec|sys_eval)\b|\bexport\s+database\b|\bbackup\s+(?:database|log)\b|\binstall\s+['"]|\bunload\b[^;]{0,4000}\bto\b/i;

/** Handles an option or an SQL statement in place of a plain value. */
export function visitOption(found: Found, text: string, meaning: KeyMeaning, key: string): void {
  if (/^\s*-/.test(text) && meaning !== 'body' && !/^(?:message|description|title|text|content)$/.test(key)) {
    const to = OUTPUT_OPTION.exec(text)?.[1];
    // A text for a search may look like an option.
    if (to !== undefined && meaning !== 'content') visitPath(found, to, { meaning: 'output', inherited: false });
    else if (PROGRAM_OPTION.test(text))
      found.undecidable ??= `'${text.trim().slice(0, 40)}' is an option that names a program`;
  }
  if (QUERY_KEYS.test(key) && STATEMENT.test(text) && (text.length > 100_000 || FILE_STATEMENT.test(text)))
    found.undecidable ??= 'The statement makes a database write a file or run a program';
}

const TAGGED =
  /<(path|paths|file_?path|file_?name|filename|target_?file|target_?path|dest(?:ination)?(?:_?path)?|new_?path|old_?path|source_?path|relative_?path|absolute_?path|notebook_?path|directory|dir_?path|uri)>([^<>]{1,4096})<\//gi;

/** Reads arguments written as tags: `<file><path>x</path><content>…`, without paths inside the content. */
function visitTags(found: Found, text: string): void {
  if (!text.includes('</')) return;
  const end = text.search(/<(?:content|contents|diff|file_?text|new_?str(?:ing)?|text|data|body)>/i);
  if (end !== -1) found.hasBody = true;
  const rest = outsideContent(text);
  for (const [, , path = ''] of rest.matchAll(TAGGED)) addCandidate(found, path.trim(), 'path', 'plain');
}

/** The text without everything between content tags. Splits at the tags, so that each character is read once. */
function outsideContent(text: string): string {
  let inside = '';
  let kept = '';
  for (const piece of text.split(
    /(<\/?(?:content|contents|diff|file_?text|new_?str(?:ing)?|old_?str(?:ing)?|text|data|body)>)/i,
  )) {
    const tag = /^<(\/?)(\w+)>$/.exec(piece);
    if (tag === null) {
      if (inside === '') kept += piece;
    } else if (tag[1] === '') inside ||= (tag[2] as string).toLowerCase();
    else if (inside === (tag[2] as string).toLowerCase()) inside = '';
  }
  return kept;
}

/** Sorts a text by the meaning of its key: path, patch, input of a tool, or a guess. */
export function visitPath(found: Found, text: string, { meaning, inherited }: Spot): void {
  if (meaning === 'arguments' || meaning === 'other') visitTags(found, text);
  // A URL to fetch, not a place to write. But a client that treats it as a path leaves the project with
  // `https://../../x`.
  if (/^(?:https?|wss?|ssh|git|git\+https|s3|gs|data):/i.test(text.trim()) && !/\.\.|%2e|\\/i.test(text)) return;
  if (meaning === 'arguments') {
    found.texts.push(text);
    if (text.includes('\n')) found.patches.push(text);
    else addCandidate(found, text, 'guess', 'plain');
    return;
  }
  if (meaning === 'path')
    return addCandidate(found, text, inherited && text.includes('\n') ? 'loose' : 'path', 'plain');
  if (meaning === 'output') found.outputs.set(text, 'certain');
  else if ((meaning === 'goal' || meaning === 'aim') && !found.outputs.has(text)) found.outputs.set(text, 'likely');
  if (meaning === 'base' || meaning === 'output' || meaning === 'goal')
    return addCandidate(found, text, text.includes('\n') ? 'loose' : 'path', meaning === 'base' ? 'base' : 'output');
  if (meaning === 'loose' || meaning === 'aim') return addCandidate(found, text, 'loose', 'plain');
  if (text.includes('\n') || text.length > 4_096) {
    found.texts.push(text);
    if (looksLikePatch(text)) found.patches.push(text);
  } else if (text !== '') addCandidate(found, text, 'guess', 'plain');
}

/** Whether a text begins as patches do. Content that has such lines only further down is content. */
function looksLikePatch(text: string): boolean {
  return /^\s*(?:```\w*\s+|<<-?\s*['"]?\w+['"]?\s+)?(?:\*\*\* (?:Begin Patch|Add|Update|Delete)|diff --git |Index: |--- \S+)/.test(
    text,
  );
}
