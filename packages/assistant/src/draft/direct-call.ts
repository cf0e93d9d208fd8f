import { covers } from './coverage.ts';
import { readRequest } from './request-parts.ts';
import { stemsOf } from './words.ts';

/** The work of tools that croft/offline calls for single words of a message, in words that ask for nothing more. */
const DOES: Readonly<Record<string, string>> = {
  read_file:
    'read show open print display view see look give cat file text content line whole all word inside contain say',
  edit_file: 'replace change edit substitute swap correct fix file text word every all',
  glob_search: 'list find show search look which file folder directory all name match pattern',
  grep_search: 'search find look grep show list which file folder line text word contain mention match all',
  validate_flow: 'check validate verify test flow correct right valid error problem fine ok work',
};

/**
 * The clauses of a message that a call was chosen for and does not carry out: most of their words ask for something else, such
 * as to join the file that is read. The other files of the message too, where the call would change one.
 */
export function beyondCall(message: string, name: string, args: Readonly<Record<string, unknown>>): readonly string[] {
  const does = DOES[name];
  // A message that names the tool asks for it and nothing else.
  if (does === undefined || message.includes(name)) return [];
  const values = [args['path'], args['pattern']].filter((value) => typeof value === 'string');
  const known = new Set(stemsOf(`${does} ${values.join(' ')}`));
  const { clauses, paths, targets } = readRequest(message);
  const meant = clauses.filter(({ text, words }) =>
    values.length === 0 ? words.some((word) => known.has(word)) : values.some((value) => text.includes(value)),
  );
  const others = name === 'edit_file' ? [...paths, ...targets].filter((path) => path !== args['path']) : [];
  const beyond = meant.filter(({ words }) => !covers(known, words)).map(({ text }) => text);
  return [...new Set([...beyond, ...others])];
}
