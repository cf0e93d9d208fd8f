import { type CroftComponent, requireWorkspace } from '../services.ts';
import { toText } from '../values.ts';

const MAX_MATCHES = 1_000;

/** Files of the workspace by name. */
export const globFiles: CroftComponent = {
  descriptor: {
    type: 'Glob',
    label: 'Find files',
    description: 'Lists up to 100 files of the workspace whose path matches a pattern such as docs/**/*.md.',
    category: 'files',
    icon: 'folder-search',
    keywords: ['folder', 'directory', 'names'],
    effects: ['workspace-read'],
    fields: [
      {
        name: 'pattern',
        label: 'Pattern',
        kind: 'text',
        accepts: ['Message'],
        default: '**/*',
        required: true,
        variables: false,
        toolParameter: true,
      },
    ],
    outputs: [{ name: 'dataframe', label: 'Files', types: ['Table'] }],
  },
  async run({ inputs, services, signal }) {
    const found = await requireWorkspace(services).glob(toText(inputs['pattern']), { signal });
    return { dataframe: found.matches.map((path) => ({ path })) };
  },
};

/** Lines of files that match an expression. */
export const grepFiles: CroftComponent = {
  descriptor: {
    type: 'Grep',
    label: 'Search in files',
    description: 'Finds lines in files of the workspace by a regular expression.',
    category: 'files',
    icon: 'text-search',
    effects: ['workspace-read'],
    fields: [
      {
        name: 'pattern',
        label: 'Expression',
        kind: 'text',
        accepts: ['Message'],
        required: true,
        variables: false,
        toolParameter: true,
      },
      { name: 'glob', label: 'In files', kind: 'text', default: '', variables: false, toolParameter: true },
      { name: 'ignore_case', label: 'Ignore case', kind: 'switch', default: false },
    ],
    outputs: [{ name: 'dataframe', label: 'Lines', types: ['Table'] }],
  },
  async run({ inputs, services, signal }) {
    const glob = toText(inputs['glob']);
    const found = await requireWorkspace(services).grep({
      pattern: toText(inputs['pattern']),
      isRegex: true,
      ...(glob !== '' && { glob }),
      caseInsensitive: inputs['ignore_case'] === true,
      outputMode: 'content',
      maxMatches: MAX_MATCHES,
      signal,
    });
    return { dataframe: found.matches.map(({ path, lineNumber, line }) => ({ path, line: lineNumber, text: line })) };
  },
};
