/**
 * SHA-256 of a short text in hexadecimal, as `node:crypto` computes it. Only for names: that module takes 3 ms to load, a thirtieth
 * of the start of `croft mcp`, which needs it for nothing else. Not constant in time. Source: FIPS 180-4.
 */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  for (const [i, byte] of bytes.entries()) padded.setUint8(i, byte);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const primes = firstPrimes(64);
  const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
  const state = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  for (let at = 0; at < padded.byteLength; at += 64) compress(state, wordsOf(padded, at), constants);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function wordsOf(bytes: DataView, at: number): number[] {
  const words: number[] = [];
  for (let i = 0; i < 64; i++) {
    if (i < 16) words.push(bytes.getInt32(at + i * 4));
    else {
      const [a, b, c, d] = [words[i - 15], words[i - 2], words[i - 16], words[i - 7]] as [
        number,
        number,
        number,
        number,
      ];
      const first = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const second = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      words.push((c + first + d + second) | 0);
    }
  }
  return words;
}

function compress(state: number[], words: readonly number[], constants: readonly number[]): void {
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (const [i, word] of words.entries()) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (constants[i] as number) + word) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] as number) + word) | 0;
}

/** Rotates right. */
function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractional part. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
