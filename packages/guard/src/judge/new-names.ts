import type { Candidate, Findings } from './extract/findings.ts';
import type { Place } from './spot.ts';
import { Stop } from './stop.ts';
import type { ToolName } from './tool-kind.ts';

/** Limit of combinations of directories and names in one call. */
const MAX_JOINED_NAMES = 10_000;

/** `{"files": {"a.ts": "b.ts"}}` holds contents for a tool that writes, and new names for a tool that moves. */
export function withNewNames(found: Findings, name: ToolName): Findings {
  if (
    found.mapped.length === 0 ||
    !name.words.some((word) => /^(?:move|rename|copy|mv|cp|link|symlink|relocate)$/.test(word))
  )
    return found;
  const names = found.mapped.map((written): Candidate => ({ written, weight: 'path', role: 'output' }));
  return { ...found, candidates: [...found.candidates, ...names] };
}

/** A tool that copies or moves into a directory creates a file of the old name there. */
export function intoDirectories(found: Findings, name: ToolName, place: Place): Findings {
  if (!name.words.some((word) => /^(?:move|copy|mv|cp|link|symlink|relocate)$/.test(word))) return found;
  const paths = found.candidates.filter((one) => one.weight === 'path' && one.written.trim() !== '');
  const isDirectory = (path: string): boolean => /[\\/]$/.test(path) || (place.isDirectory?.(path) ?? true);
  const directories = paths.filter((one) => one.role !== 'base' && isDirectory(one.written));
  if (directories.length * paths.length > MAX_JOINED_NAMES)
    throw new Stop('too-large', 'The call names too many directories and paths to tell what appears where');
  const added = directories.flatMap((to) =>
    paths
      .filter((from) => from !== to)
      .map((from): Candidate => {
        const base =
          from.written
            .replace(/(?<![\\/])[\\/]+$/, '')
            .split(/[\\/]/)
            .at(-1) ?? '';
        return { written: `${to.written}/${base}`, weight: 'path', role: 'output' };
      }),
  );
  return added.length === 0 ? found : { ...found, candidates: [...found.candidates, ...added] };
}
