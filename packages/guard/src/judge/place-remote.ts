import { posix, win32 } from 'node:path';
import type { Place, Spot } from './spot.ts';

/** The parts of a place whose disk is not read. */
export const NO_DISK = {
  temporary: undefined,
  hasTop: () => true,
  isDirectory: undefined,
  isFile: undefined,
  realPath: undefined,
  namesIn: undefined,
  kindOf: undefined,
  linksIn: () => [],
  close() {},
} satisfies Partial<Place>;

const DEVICE = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;

/**
 * The directories of an agent on another host. Their disk cannot be inspected, so paths are judged as text, by the
 * rules of both POSIX and Windows. Links there are not seen.
 */
export function openRemotePlace(root: string, further: readonly string[]): Place {
  const roots = [root, ...further];
  return {
    root,
    roots,
    policyFiles: [],
    home: undefined,
    isWindows: isWindowsPath(root),
    locate(path): Spot {
      if (path.includes('\0')) return { kind: 'invalid', reason: 'Path contains NUL byte' };
      if (path.length > 4_096) return { kind: 'invalid', reason: 'Path is too long' };
      const bad = path.split(/[\\/]/).find((name) => DEVICE.test(name) || /[^. ][. ]+$/.test(name));
      for (const dir of roots) {
        const at = below(dir, root, path);
        if (at !== undefined && bad !== undefined)
          return { kind: 'invalid', reason: `'${bad}' is not a valid file name on every system` };
        if (at !== undefined) return { kind: 'inside', path: at || '.', isRoot: at === '', isProject: dir === root };
      }
      return { kind: 'outside' };
    },
    ...NO_DISK,
  };
}

function isWindowsPath(path: string): boolean {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(path);
}

/** The path below `dir` if it is inside by both systems' rules. Relative paths start at `root`. */
function below(dir: string, root: string, path: string): string | undefined {
  const byWindows = belowWindows(dir, root, path);
  if (isWindowsPath(root)) return byWindows;
  const at = posix.relative(posix.resolve('/', dir), posix.resolve('/', root, path));
  if (at === '..' || at.startsWith('../')) return undefined;
  return byWindows === undefined ? undefined : at;
}

function belowWindows(dir: string, root: string, path: string): string | undefined {
  // Drive-relative paths depend on an unknown current directory.
  if (/^[A-Za-z]:(?![\\/])/.test(path)) return undefined;
  const at = win32.relative(win32.resolve('C:\\', dir), win32.resolve('C:\\', root, path));
  if (at === '..' || at.startsWith('..\\') || win32.isAbsolute(at)) return undefined;
  if (/^[\\/](?![\\/])/.test(path) && isWindowsPath(root)) return undefined;
  return at.replaceAll('\\', '/');
}
