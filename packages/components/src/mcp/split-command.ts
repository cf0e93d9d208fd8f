const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g;

/** A command line as a program and its arguments: words, or texts in quotes. Knows nothing else of a shell. */
export const splitCommand = (line: string): readonly string[] =>
  [...line.matchAll(WORD)].map(([, double, single, word]) => double?.replace(/\\(.)/g, '$1') ?? single ?? word ?? '');
