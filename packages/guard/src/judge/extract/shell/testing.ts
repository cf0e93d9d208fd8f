import { readCommand } from '../../packages/guard/src/judge/extract/shell/read-command.ts';

/** For tests: what a command line does in a project whose only directory is `src`. */
export const read = (command: string) => readCommand(command, { cwd: '', isDirectory: (path) => path === 'src' });
/** For tests: the paths that it writes. */
export const writes = (command: string) => read(command).writes.map((write) => write.path);
/** For tests: whether it may write others. */
export const isOpen = (command: string) => read(command).undecidable.length > 0;
