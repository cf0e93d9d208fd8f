/** A field of a tool's schema, for tests. */
export const field = (type: string | readonly string[], description?: string) => ({
  type,
  ...(description !== undefined && { description }),
});

const status = { type: 'string', const: 'ok' };

/** The fields of tools with a source and a destination. */
export const TWO_PATHS = {
  input: {
    source: field('string', 'Existing file or directory.'),
    destination: field('string', 'New path; must not exist. Missing parents are made.'),
  },
  output: { status, source: field('string'), destination: field('string') },
};

/** The fields of tools that write a file. */
export const WRITTEN = {
  input: {
    path: field('string', 'Path to the file, relative to the workspace root.'),
    expected_version: field(
      'string',
      'Version from an earlier read. The call is refused if the file has changed since.',
    ),
  },
  output: {
    status: { type: 'string', enum: ['created', 'updated'] },
    path: field('string'),
    bytes_written: field('number'),
    version: field('string'),
  },
};
