import { isWindowsPath } from '../tree/pack-tree.ts';

const MAX_CHARS = 2_000;
/**
 * An absolute path at the start of a word, but not a URL or a closing tag; one character class, so the time is linear.
 */
const ABSOLUTE = /(?<![\w.~/\\<-])(?<!:(?=\/\/))(?:[A-Za-z]:[\\/]|\/|\\\\)[^\s"'`<>|*?:;,()[\]{}]+/g;

/**
 * Removes host paths from a machine's error for a model, except those that the model wrote itself. Paths below the
 * shared directory become relative.
 *
 * @param rootPath the shared directory on the machine
 * @param input the call's arguments
 */
export function hideHostPaths(text: string, rootPath: string, input: unknown): string {
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  const written = JSON.stringify(input) ?? '';
  const root = rootPath.replace(/[\\/]+$/, '');
  // First the whole directory path, because its name may contain blanks.
  const relative = root.length > 1 && !written.includes(root) ? withoutRoot(cut, root) : cut;
  return relative.replace(ABSOLUTE, (path) => {
    const bare = path.replace(/[.!]+$/, '');
    return written.includes(isWindowsPath(bare) ? JSON.stringify(bare).slice(1, -1) : bare)
      ? path
      : `(a path on that machine)${path.slice(bare.length)}`;
  });
}

function withoutRoot(text: string, root: string): string {
  return text
    .replaceAll(`${root}/`, '')
    .replaceAll(`${root}\\`, '')
    .split(root)
    .map((part, n) => (n > 0 && !/^[\w-]/.test(part) ? `.${part}` : n > 0 ? `${root}${part}` : part))
    .join('');
}
