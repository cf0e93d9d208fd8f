import type { Intent, Understood } from './intent.ts';
import type { Asked } from './tools/assistant-tool.ts';
import type { Turn } from './turn.ts';

const CHANGES: ReadonlySet<Intent> = new Set(['generate_component', 'build_flow', 'component_then_flow']);
/** Words of requests to take something away, to put something in its place, or to go back. */
const TAKES_AWAY =
  /\b(?:(?:remov|delet|eras|drop|discard|replac|substitut|swap|switch|convert|chang|clean|clear|empt|simplif|shorten|reduc|merg|combin|refactor|rework|rewrit|rebuil|redesign|redo|reset|restor|rever[ts]|undo|fix|correct|repair|clos)\w*|instead|rather|without|no longer|don't|not|only|rid|out|off|less|fewer|back|use|turn)\b/i;
const RUNS =
  /\b(?:re-?)?(?:run|running|execut\w*|test|try|start|launch|rode|roda|rodar|testa|testar|teste)\b|\b(?:show|tell) me\b/i;

/** The actions that a message asks for, as it was understood and by its own words. Any other one needs the user's consent. */
export function askedFor({ intent, scope }: Pick<Understood, 'intent' | 'scope'>, words: string): Asked {
  const change = intent !== 'question' && (scope === 'unknown' ? CHANGES.has(intent) : scope !== 'read');
  const run = intent === 'run_flow';
  return {
    change,
    remove: change && TAKES_AWAY.test(words),
    write: change || intent === 'manage_files',
    run: change || run,
    runWrites: run || (change && RUNS.test(words)),
  };
}

/**
 * The words of the user for this request, written or approved: the message, in English too, and the messages and the plan that it
 * continues. A request about files goes on with those that earlier messages name.
 */
export function wordsOf(
  { message, continues, plan, history }: Pick<Turn, 'message' | 'continues' | 'plan' | 'history'>,
  { intent, translation }: Pick<Understood, 'intent' | 'translation'>,
): string {
  const goesOn = continues !== undefined || intent === 'manage_files';
  const earlier = goesOn ? history.map(({ user }) => user) : [];
  return [message, translation, ...earlier, ...(continues === 'plan' && plan !== undefined ? [plan] : [])].join('\n');
}

/** Whether a text has the path of a file, or its whole name. */
export function namesFile(text: string, path: string): boolean {
  const wanted = path.replace(/^(?:\.\/)+/, '').toLowerCase();
  const name = wanted.slice(wanted.lastIndexOf('/') + 1);
  const given = text.replaceAll('./', '').toLowerCase();
  return name !== '' && (hasWord(given, wanted) || hasWord(given, name));
}

/** Whether a text has a name outside of longer names and other paths. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
    if (!/[\p{L}\p{N}_./\\-]$/u.test(before) && !/^(?:[\p{L}\p{N}_/\\-]|\.[\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}
