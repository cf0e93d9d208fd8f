import type { Call } from '../call.ts';
import { ANY, type Field } from '../marks.ts';

/** A package that is not a name in a registry: a repository, a URL, an archive. */
const ELSEWHERE =
  /^(?:https?|git|git\+\w+|ssh|file|github|gitlab|bitbucket|gist|data):|^(?!@)[\w.-]+\/[\w.-]+(?:#.*)?$|^git@|\.t(?:ar\.)?gz$/i;

/** A package that runs at once must come from a registry or from the project; any other is like `curl … | sh`. */
export function checkPackage(spec: Field | undefined, reader: Call['reader']): void {
  const given = spec?.value ?? '';
  const texts = [given, given.replace(/^@?[\w./-]+@(?=\w+:)/, '')];
  if (texts.some((text) => ELSEWHERE.test(text) || text.includes(ANY)))
    reader.undecidable(`It is not known what '${spec?.written.slice(0, 80)}' runs.`);
}
