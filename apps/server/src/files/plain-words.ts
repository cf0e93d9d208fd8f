// Some texts of the workspace are contract texts for tools (docs/contracts/file-tools.md). People and scripts get these instead.
const TEXTS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [
    /^Path component (.+) contains forbidden character\(s\): \[(.+)\]$/,
    (name, list) => `The name ${unquoted(name)} contains ${characters(list)}. Choose a name without it.`,
  ],
  [
    /^Path component (.+) is a Windows reserved name$/,
    (name) => `The name ${unquoted(name)} is reserved on Windows. Choose another one.`,
  ],
  [
    /^Path component (.+) has trailing dot or space/,
    (name) => `The name ${unquoted(name)} ends with a dot or a space. Remove it.`,
  ],
  [/^Path component (.+) is reserved$/, (name) => `The name ${unquoted(name)} is reserved for Croft.`],
  [/^Path contains NUL byte$/, () => 'A name cannot contain a NUL character.'],
  [/^Path escapes workspace boundary: (.+)$/s, (path) => `${path} is outside of your files.`],
];

/** The words for people of a workspace's text; the text itself if it is plain already. */
export function plainWords(text: string): string {
  for (const [pattern, say] of TEXTS) {
    const found = pattern.exec(text);
    if (found) return say(...found.slice(1));
  }
  return text;
}

/** A name as people write it, from Python's `repr`. */
function unquoted(repr: string | undefined = ''): string {
  const inside = repr.slice(1, -1);
  return `“${repr.startsWith("'") ? inside.replace(/\\(['\\])/g, '$1') : inside}”`;
}

function characters(list = ''): string {
  return [...list.matchAll(/'([^'])'|"(')"|'(\\")'/g)].map(([, one, two]) => one ?? two).join(' ') || list;
}
