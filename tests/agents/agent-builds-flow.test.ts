import { it } from 'vitest';
import { hasAgent } from './qwen-code.ts';

// Imported only with an agent: the browser and the server take seconds to load.
if (hasAgent) await import('./build-flow.ts');
else it.skip('builds a flow over MCP: set AGENTS_DIR to a directory with qwen-code/node_modules');
