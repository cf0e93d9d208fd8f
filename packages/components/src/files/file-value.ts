/** A file value: where the file is, which content it has, and of which type; never the bytes. */
export interface FileValue {
  readonly path: string;
  /** A token that changes with each write of the file. Files with equal content have different ones. */
  readonly version: string;
  /** The media type, by the ending of the name. Stored values of earlier versions have none: components read the path alone. */
  readonly type: string;
}

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** By ending, in lower case. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...['txt', 'log', 'text'].map((ending) => [ending, 'text/plain'] as const),
  ...['md', 'markdown'].map((ending) => [ending, 'text/markdown'] as const),
  ...['html', 'htm'].map((ending) => [ending, 'text/html'] as const),
  ...['yaml', 'yml'].map((ending) => [ending, 'application/yaml'] as const),
  ...['jpg', 'jpeg'].map((ending) => [ending, 'image/jpeg'] as const),
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['xml', 'application/xml'],
  ['pdf', 'application/pdf'],
  ['zip', 'application/zip'],
  ['gz', 'application/gzip'],
  ['docx', `${OFFICE}.wordprocessingml.document`],
  ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
  ['pptx', `${OFFICE}.presentationml.presentation`],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['svg', 'image/svg+xml'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['flac', 'audio/flac'],
  ['aac', 'audio/aac'],
  ['m4a', 'audio/mp4'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
]);

/** The value of a file with this content. Looks at the name only: a file may have another content than its ending says. */
export function fileValue(path: string, version: string): FileValue {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return { path, version, type: TYPES.get(ending) ?? 'application/octet-stream' };
}
