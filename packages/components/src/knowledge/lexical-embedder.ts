/** Name of the embedder that needs no key and no download. */
export const LEXICAL_EMBEDDER = 'croft/lexical';
export const LEXICAL_DIMENSIONS = 512;

const LONG_WORD = 6;
const PART_WEIGHT = 0.3;

/** Words in lower case, without accents. */
export function wordsIn(text: string): readonly string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * A vector of unit length from the words of a text and their parts of three letters, by feature hashing. Deterministic.
 * Texts are close when they share words or word stems; the vector knows nothing of meaning. All zeros for a text without
 * words.
 */
export function embedLexically(text: string): Float32Array {
  const counts = new Map<string, number>();
  const add = (feature: string, weight: number) => counts.set(feature, (counts.get(feature) ?? 0) + weight);
  for (const word of wordsIn(text)) {
    // Short words are mostly articles and prepositions, in most languages.
    const weight = Math.min(word.length, LONG_WORD) / LONG_WORD;
    add(word, weight ** 2);
    const padded = `<${word}>`;
    for (let at = 0; at + 3 <= padded.length; at++) add(padded.slice(at, at + 3), PART_WEIGHT * weight ** 2);
  }
  const vector = new Float32Array(LEXICAL_DIMENSIONS);
  for (const [feature, count] of counts) {
    const hash = fnv1a(feature);
    const at = hash % LEXICAL_DIMENSIONS;
    // A sign from another bit of the hash lets collisions cancel out instead of adding up.
    const sign = (hash >>> 16) & 1 ? 1 : -1;
    vector[at] = (vector[at] as number) + sign * Math.sqrt(count);
  }
  return normalised(vector);
}

/** The vector with unit length; zeros stay zeros. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((each) => each / length);
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
