import { stableText } from './stable-text.ts';

/**
 * The step key of one call of a tool: different for each call, and the same when an interrupted agent makes the same call
 * again. The digest only distinguishes calls; chosen arguments can make it collide.
 */
export function callKey(stepKey: string, args: Readonly<Record<string, unknown>>, calls: Map<string, number>): string {
  const digest = digestOf(stableText(args));
  const count = (calls.get(digest) ?? 0) + 1;
  calls.set(digest, count);
  return `${stepKey}#${digest}.${count}`;
}

/** 53 bits of a text, in base 36 (cyrb53, public domain). */
function digestOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
