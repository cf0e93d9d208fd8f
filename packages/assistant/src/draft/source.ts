import { type PortType, type Registry, typesFit } from '@croft/flow';
import type { Link } from './chain.ts';
import type { RequestParts } from './request-parts.ts';

/** Reads text files. */
export const READER = 'File';

/**
 * The component that reads the first file or address of a request. A file whose reader gives none of the types that the
 * next step takes is read as text.
 */
export function sourceFor(
  { paths, urls }: Pick<RequestParts, 'paths' | 'urls'>,
  registry: Registry,
  takes?: readonly PortType[],
): Link | undefined {
  const [path] = paths;
  const [url] = urls;
  if (path !== undefined) {
    const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
    const reader = registry.entries
      .map(({ descriptor }) => descriptor)
      .find(
        ({ keywords, fields, outputs }) =>
          keywords?.includes(ending) === true &&
          fields.some(({ kind }) => kind === 'file') &&
          (takes === undefined || outputs.some(({ types }) => typesFit(types, takes))),
      );
    const descriptor = reader ?? registry.get(READER)?.descriptor;
    const field = descriptor?.fields.find(({ kind }) => kind === 'file');
    return descriptor && field && { descriptor, config: { [field.name]: path } };
  }
  const page = url === undefined ? undefined : registry.get('URLComponent')?.descriptor;
  return page && url !== undefined ? { descriptor: page, config: { urls: url } } : undefined;
}
