// Counts wording that readers have to decode (CONTRIBUTING.md, "Language") in comments, docs, test names and shipped
// strings. The counts may only fall: scripts/language-counts.json holds the highest count allowed for each pattern.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The patterns by name. The names are the keys of language-counts.json. */
export const PATTERNS = {
  nobody: /\b(no|some|any|every)body('s)?\b|\bwho(so)?ever\b/gi,
  'is no': /(?<![Tt]here )\b(is|are|was|were) (no|none)\b(?! (longer|more|less|fewer|later|earlier|other|such)\b)/g,
  'clause as subject':
    /(?:^|[.;:!] +)(What|Whatever|Who|Whose|That (it|a|an|the|one|is)) (?!not\b)[a-z]+(?![^.;:\n]*\?)/g,
  told: /\btold\b(?! apart)/gi,
  stands: /\b(stands?|stood|lies|lain)\b(?! (for|alone|out)\b)/gi,
  'goes by': /\b(goes? by|puts? away|(is|are|was) meant|mend(s|ed|ing)?|anew|in whatever)\b/gi,
  'the seed':
    /\b[Tt]he (seed|reference)('s|s)?\b(?! (data|value|implementation|count))|\b(second|third|fourth) (review|look)\b/g,
};

/** Verbatim text of compatible systems, records of past runs, and licence texts are not ours to reword. */
const EXCLUDED =
  /^(docs\/contracts\/|docs\/results\/|CHANGELOG\.md|LICENSE|tests\/guard\/corpus\/|apps\/server\/migrations\/|scripts\/language\.mjs)/;

/** The account `nobody` exists on every Unix system; its name is not a pronoun. */
const ACCOUNT = /`nobody`|'nobody'|"nobody"|account nobody|user nobody|^nobody$/g;

/**
 * Counts every pattern in the files that git knows.
 *
 * @param {string} root the repository
 * @returns {{ counts: Record<string, number>, places: { pattern: string, file: string, line: number, text: string }[] }}
 */
export function countWording(root) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const counts = Object.fromEntries(Object.keys(PATTERNS).map((name) => [name, 0]));
  const places = [];
  for (const file of listed.toString('utf8').split('\0')) {
    if (file === '' || EXCLUDED.test(file)) continue;
    for (const { line, text } of prose(root, file)) {
      for (const [pattern, expression] of Object.entries(PATTERNS)) {
        for (const match of text.replace(ACCOUNT, '').matchAll(expression)) {
          counts[pattern]++;
          places.push({ pattern, file, line, text: text.slice(Math.max(0, match.index - 40), match.index + 60) });
        }
      }
    }
  }
  return { counts, places };
}

/** The sentences of one file: paragraphs of Markdown, or comments, test names and strings of code. */
function prose(root, file) {
  if (file.endsWith('.md')) return paragraphs(readFileSync(join(root, file), 'utf8'));
  if (/\.(ts|tsx|mjs|cjs)$/.test(file)) return sentencesOfCode(file, readFileSync(join(root, file), 'utf8'));
  return [];
}

function paragraphs(text) {
  const found = [];
  let isFenced = false;
  let open;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trimStart().startsWith('```')) isFenced = !isFenced;
    const begins = /^\s*([-*>#|]|\d+\.)/.test(line);
    if (isFenced || line.trim() === '' || begins) open = undefined;
    if (isFenced || line.trim() === '') continue;
    const words = line.replace(/^\s*([-*>#]+|\d+\.)\s+/, '').trim();
    if (open === undefined) found.push((open = { line: index + 1, text: words }));
    else open.text += ` ${words}`;
  }
  return found;
}

function sentencesOfCode(file, text) {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : file.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const isTest = /\.test\.tsx?$/.test(file);
  const found = [];
  const literals = [];
  const visit = (node) => {
    const isJsxText = ts.isJsxText(node);
    if (isJsxText || isSentence(node) || node.kind === ts.SyntaxKind.RegularExpressionLiteral)
      literals.push([node.getStart(source), node.end]);
    if ((isSentence(node) && (!isTest || isTestName(node))) || isJsxText)
      found.push({ line: lineOf(node.getStart(source)), text: node.text.replace(/\s+/g, ' ').trim() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found, ...joinComments(commentRanges(text, literals), text, lineOf)];
}

/** Where comments are: every `//` and `/*` outside of a literal. */
function commentRanges(text, literals) {
  const ranges = [];
  let next = 0;
  for (let at = 0; at < text.length; at++) {
    while (next < literals.length && literals[next][1] <= at) next++;
    if (next < literals.length && at >= literals[next][0]) at = literals[next][1];
    if (text[at] !== '/') continue;
    const isLine = text[at + 1] === '/';
    if (!isLine && text[at + 1] !== '*') continue;
    const closed = isLine ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 2;
    const end = closed < at + 2 ? text.length : closed;
    ranges.push([at, end]);
    at = end - 1;
  }
  return ranges;
}

const isSentence = (node) =>
  ts.isStringLiteralLike(node) ||
  node.kind === ts.SyntaxKind.TemplateHead ||
  node.kind === ts.SyntaxKind.TemplateMiddle ||
  node.kind === ts.SyntaxKind.TemplateTail;

function isTestName(node) {
  const call = node.parent;
  return (
    ts.isCallExpression(call) && call.arguments[0] === node && /^(it|test|describe)\b/.test(call.expression.getText())
  );
}

/** Consecutive line comments are one text, so that a sentence is read over the line break. */
function joinComments(comments, text, lineOf) {
  const found = [];
  let last;
  for (const [from, to] of comments) {
    const words = text
      .slice(from, to)
      .replace(/^\/\*+|\*+\/$/g, '')
      .replace(/^\s*(\/\/|\*)\s?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (last && text.startsWith('//', from) && /^\s*$/.test(text.slice(last.to, from))) last.text += ` ${words}`;
    else found.push((last = { line: lineOf(from), text: words }));
    last.to = to;
  }
  return found;
}

const COUNTS = 'scripts/language-counts.json';

/** Sentences about every pattern whose count rose above what is allowed. */
export function checkWording(root) {
  const allowed = JSON.parse(readFileSync(join(root, COUNTS), 'utf8'));
  const { counts, places } = countWording(root);
  return Object.entries(counts)
    .filter(([name, count]) => count > (allowed[name] ?? 0))
    .map(([name, count]) => {
      const where = places.filter(({ pattern }) => pattern === name);
      return `wording "${name}" rose from ${allowed[name] ?? 0} to ${count}; \`node scripts/language.mjs "${name}"\` lists all ${where.length} places`;
    });
}

const LIMIT = 72;

/** Titles of the last commits that are not `area: what changed` in at most 72 characters. Reported, never failing. */
export function oddCommitTitles(root, last = 30) {
  try {
    const titles = execFileSync('git', ['log', `-${last}`, '--no-merges', '--format=%s'], {
      cwd: root,
      encoding: 'utf8',
    });
    return titles
      .split('\n')
      .filter((title) => title !== '' && (title.length > LIMIT || !/^[a-z0-9/-]+: .+/.test(title)));
  } catch {
    return []; // Not a git checkout: a tarball has no commits to read.
  }
}

if (import.meta.filename === process.argv[1]) {
  const root = join(import.meta.dirname, '..');
  const { counts, places } = countWording(root);
  const [argument] = process.argv.slice(2);
  if (argument === '--lower') {
    const allowed = JSON.parse(readFileSync(join(root, COUNTS), 'utf8'));
    const lower = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, Math.min(count, allowed[name] ?? count)]),
    );
    writeFileSync(join(root, COUNTS), `${JSON.stringify(lower, null, 2)}\n`);
  }
  for (const { pattern, file, line, text } of places)
    if (argument !== undefined && (pattern === argument || file.startsWith(argument)))
      console.log(`${file}:${line}: [${pattern}] ${text}`);
  console.log(JSON.stringify(counts));
}
