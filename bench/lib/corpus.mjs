import { createRandom } from './random.mjs';

const NOUNS =
  'user account session request response handler service context client server node edge graph token stream buffer file path entry index cache store query result option value state action event error config schema field column row table view model route param header body layout theme button panel dialog menu list item page form input label chart'.split(
    ' ',
  );
const VERBS =
  'get set create update delete remove find load save parse format render resolve validate merge split encode decode open close read write start stop run build apply compute normalize register dispatch subscribe'.split(
    ' ',
  );
const PROSE =
  'the a value is returned when called before after this method only if not set by default and may be null in which case it throws an error for every entry that matches or undefined otherwise see also note internal optional callers should'.split(
    ' ',
  );

export const NAME_WORDS = [...NOUNS, ...VERBS];

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/**
 * Generates text that looks like source code, as many lines as fit into `bytes`. Made of words, so that searching it
 * costs as much as searching code: common letters, shared prefixes, comments, deprecations.
 */
export function makeCorpus(bytes, seed) {
  const random = createRandom(seed);
  const name = () =>
    random.pick(VERBS) + capital(random.pick(NOUNS)) + (random.next() < 0.4 ? capital(random.pick(NOUNS)) : '');
  const prose = () => Array.from({ length: 5 + random.below(9) }, () => random.pick(PROSE)).join(' ');
  const forms = [
    () =>
      `import { ${name()}, ${name()} } from '../${random.pick(NOUNS)}/${random.pick(NOUNS)}-${random.pick(NOUNS)}.js';`,
    () => `export async function ${name()}(${random.pick(NOUNS)}, ${random.pick(NOUNS)} = {}) {`,
    () => `  const ${random.pick(NOUNS)} = await ${name()}(${random.pick(NOUNS)}.${random.pick(NOUNS)});`,
    () => `    if (!${random.pick(NOUNS)} || ${random.pick(NOUNS)}.length === ${random.below(100)}) return undefined;`,
    () => `    throw new Error(\`${prose()}: \${${random.pick(NOUNS)}}\`);`,
    () => `  // ${prose()}`,
    () => `   * ${prose()}`,
    () => `   * ${prose()}`,
    () => `    ${random.pick(NOUNS)}: '${random.pick(NOUNS)}-${random.pick(NOUNS)}',`,
    () => `    ${random.pick(NOUNS)}.${random.pick(NOUNS)} = ${name()}(${random.pick(NOUNS)}, ${random.below(1000)});`,
    () => '  }',
    () => '}',
    () => '',
    () => `  return { ${random.pick(NOUNS)}, ${random.pick(NOUNS)}: ${name()} };`,
  ];
  const lines = [];
  for (let size = 0; size < bytes; size += lines.at(-1).length + 1) {
    lines.push(
      random.next() < 1 / 3000
        ? `   * @deprecated since ${random.below(9)}.${random.below(20)} ${prose()}`
        : random.pick(forms)(),
    );
  }
  return lines;
}
