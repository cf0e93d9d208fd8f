/**
 * Ignores EPIPE on standard output and standard error for the whole program: in `croft --help | head -1` the reader
 * closes the pipe early, which is not a failure of the command. Later output is lost.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
