/** Ctrl+S, on Apple's systems ⌘S. Without a handler, the browser saves its page. */
export const isSaveKey = ({
  key,
  ctrlKey,
  metaKey,
}: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): boolean => key.toLowerCase() === 's' && (ctrlKey || metaKey);
