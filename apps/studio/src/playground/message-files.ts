const HEADING = 'Attached files:';

/** A message with the paths of files. Components read them from the user's files by these paths. */
export function withFiles(text: string, paths: readonly string[]): string {
  if (paths.length === 0) return text.trim();
  const list = [HEADING, ...paths.map((path) => `- ${path}`)].join('\n');
  return text.trim() === '' ? list : `${text.trim()}\n\n${list}`;
}

/** Splits a message into its text and the paths of its files. */
export function splitFiles(message: string): { readonly text: string; readonly paths: readonly string[] } {
  const at = message.lastIndexOf(HEADING);
  const lines =
    at < 0
      ? []
      : message
          .slice(at + HEADING.length)
          .trim()
          .split('\n');
  const isList = lines.length > 0 && lines.every((line) => line.startsWith('- '));
  if (!isList || (at > 0 && message[at - 1] !== '\n')) return { text: message, paths: [] };
  return { text: message.slice(0, at).trim(), paths: lines.map((line) => line.slice(2)) };
}
