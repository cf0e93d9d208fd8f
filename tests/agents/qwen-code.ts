import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Qwen Code 0.15.10, below AGENTS_DIR as for `npm run agents`. */
export const PROGRAM = join(process.env['AGENTS_DIR'] ?? '', 'qwen-code/node_modules/.bin/qwen');
export const hasAgent = process.env['AGENTS_DIR'] !== undefined && existsSync(PROGRAM);
