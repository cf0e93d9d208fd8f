// The output of an example, and its saved copy in examples/transcripts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repo } from './installed-croft.mjs';

/** Prints lines and stores them without the parts that differ from run to run. */
export function createTranscript(name, replacements = {}) {
  const lines = [];
  const settle = (text) => {
    let out = text;
    for (const [from, to] of Object.entries(replacements)) out = out.replaceAll(from, to);
    return out
      .replace(/node \S+croft\.cjs/g, 'croft')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replace(/code=[\w-]+/g, 'code=…')
      .replace(/croft_[\w-]{40,}/g, 'croft_…')
      .replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+Z)?/g, 'DATE TIME')
      .replace(/\b[0-9a-z]{9,11}-[0-9a-z]{1,5}-[0-9a-z]{1,9}\b/g, 'VERSION');
  };
  return {
    say(text) {
      for (const line of settle(text).split('\n')) {
        lines.push(line);
        console.log(`  ${line}`);
      }
    },
    /** Saves only with `--write`, so that a test run leaves the tree unchanged. */
    keep() {
      if (!process.argv.includes('--write')) return;
      const dir = join(repo, 'examples/transcripts');
      mkdirSync(dir, { recursive: true });
      writeFileSync(join(dir, `${name}.txt`), `${lines.join('\n').trimEnd()}\n`);
    },
  };
}
