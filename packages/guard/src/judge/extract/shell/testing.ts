import { readCommand } from './read-command.ts';

/** For tests: what a command line does in a project whose only directory is `src`. */
export const read = (command: string) => readCommand(command, { cwd: '', isDirectory: (path) => path === 'src' });
/** For tests: the paths that it writes. */
export const writes = (command: string) => read(command).writes.map((write) => write.path);
/** For tests: whether it may write others. */
export const isOpen = (command: string) => read(command).undecidable.length > 0;
/** For tests: the paths that it writes, and `?` if it may write others, as one text. */
export const effects = (command: string) => [...writes(command), ...(isOpen(command) ? ['?'] : [])].join(' ');
