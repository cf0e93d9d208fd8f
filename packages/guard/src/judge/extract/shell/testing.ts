import { ANY, HOME } from './marks.ts';
import { readCommand } from './read-command.ts';

/** For tests: what a command line does in a project whose only directory is `src`. */
export const read = (command: string) => readCommand(command, { cwd: '', isDirectory: (path) => path === 'src' });
/** For tests: the paths that it writes. */
export const writes = (command: string) => read(command).writes.map((write) => write.path);
/** For tests: whether it may write others. */
export const isOpen = (command: string) => read(command).undecidable.length > 0;
/** For tests: the paths that it writes, and `?` if it may write others, as one text. */
export const effects = (command: string) => [...writes(command), ...(isOpen(command) ? ['?'] : [])].join(' ');
/**
 * For tests: all that a command line does, as one text: the paths that it writes (with what else it does to them), those it
 * reads (`<`), those it gives a program, and the reasons why it may write others (`?`).
 */
export function outcome(command: string): string {
  const { writes: written, reads, given, undecidable } = read(command);
  return [
    ...written.map(({ path, uses = [] }) => [path, ...uses].join(':')),
    ...reads.map(({ path }) => `<${path}`),
    ...given.map(({ path }) => `(${path})`),
    ...undecidable.map((reason) => `? ${reason}`),
  ]
    .join(' ')
    .replaceAll(ANY, '*')
    .replaceAll(HOME, '~');
}
/**
 * For tests: the paths that a Windows command line writes, those it reads (`<`), those it gives a program, and `?` if it may write
 * others.
 */
export function windowsEffects(command: string, dialect: 'cmd' | 'powershell'): string {
  const { writes: written, reads, given, undecidable } = readCommand(command, { cwd: '', dialect });
  return [
    ...written.map(({ path, uses = [] }) => [path, ...uses].join(':')),
    ...reads.map(({ path }) => `<${path}`),
    ...given.map(({ path }) => `(${path})`),
    ...(undecidable.length > 0 ? ['?'] : []),
  ]
    .join(' ')
    .replaceAll(ANY, '*')
    .replaceAll(HOME, '~');
}
