import { asksToRun, type Intent } from './intent.ts';
import type { Turn } from './turn.ts';

/** The first label that the user reads. */
export function labelOf(intent: Intent, { continues, message }: Turn) {
  if (continues === 'edits') return { step: 'generating' as const, message: 'Continuing...' };
  if (continues === 'plan') return { step: 'generating_flow' as const, message: 'Generating flow...' };
  switch (intent) {
    case 'generate_component':
      return { step: 'generating_component' as const, message: 'Generating component...' };
    case 'manage_files':
      return { step: 'generating_document' as const, message: 'Generating document...' };
    case 'run_flow':
      return { step: 'generating' as const, message: 'Running the flow...' };
    case 'component_then_flow':
      return { step: 'orchestrating' as const, message: 'Orchestrating...' };
    case 'build_flow':
      return asksToRun(message) || /\bthen\b.*\b(?:run|execute)\b/i.test(message)
        ? { step: 'orchestrating' as const, message: 'Orchestrating...' }
        : { step: 'generating_flow' as const, message: 'Working on the flow...' };
    default:
      return { step: 'generating' as const, message: 'Generating response...' };
  }
}
