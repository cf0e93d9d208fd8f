/** A text with `\n` alone, as an editor has it, and what puts its line ends back. */
export interface EditorText {
  readonly text: string;
  /** The edited text as it is stored. */
  readonly stored: (edited: string) => string;
}

/** The text of a file for an editor. Where most of its lines end in CRLF, the stored text has CRLF only. */
export function editorText(content: string): EditorText {
  const crlf = content.split('\r\n').length - 1;
  const others = content.split('\n').length - 1 - crlf;
  const hasCrlf = crlf > others;
  return {
    text: content.replace(/\r\n?/g, '\n'),
    stored: (edited) => (hasCrlf ? edited.replaceAll('\n', '\r\n') : edited),
  };
}
