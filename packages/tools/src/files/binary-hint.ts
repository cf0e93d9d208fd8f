import { WorkspaceError } from '@croft/workspace';

/** The hint for reading a file that is not text: a toolset with `read_media` shows some of them. */
export function binaryHint(error: unknown): string | undefined {
  return error instanceof WorkspaceError && error.code === 'binary'
    ? 'read_media shows images, audio files and PDFs.'
    : undefined;
}
