import { orderIn, withShortGaps } from './draft/forbidden.ts';
import { readRequest } from './draft/request-parts.ts';
import { type Intent, isQuestion, type Understood } from './intent.ts';
import { ordersRun, ordersUndo } from './plain-order.ts';
import { forbidsRun, isReserved, isTentative, MAX_READ } from './reservations.ts';
import type { Asked } from './tools/assistant-tool.ts';
import type { Turn } from './turn.ts';

const CHANGES: ReadonlySet<Intent> = new Set(['generate_component', 'build_flow', 'component_then_flow']);
/** Words of requests to take something away, to put something in its place, or to go back. */
const TAKES_AWAY =
  /\b(?:(?:remov|delet|eras|drop|discard|replac|substitut|swap|switch|convert|chang|clean|clear|empt|simplif|shorten|reduc|merg|combin|refactor|rework|rewrit|rebuil|redesign|redo|reset|restor|rever[ts]|undo|fix|correct|repair|clos)\w*|instead|rather|without|no longer|don't|not|only|rid|out|off|less|fewer|back|use|turn)\b/i;
const RUNS =
  /\b(?:re-?)?(?:run|running|execut\w*|test|try|start|launch|rode|roda|rodar|testa|testar|teste)\b|\b(?:show|tell) me\b/i;

/** Characters of a line that is read for the files that it writes. */
const MAX_LINE = 2_000;

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

/** The actions that a message to croft/offline asks for. A question may be answered with a new flow, which runs on request only. */
export function askedOffline(message: string): Asked {
  const isOrder = message.length <= MAX_LINE && !isQuestion(message);
  const run = isOrder && !forbidsRun(message) && ordersRun(orderIn(message) ?? '');
  return {
    change: true,
    remove: isOrder && ordersUndo(message),
    write: isOrder && !isTentative(message),
    run,
    runWrites: run,
  };
}

type Texts = Pick<Turn, 'message' | 'continues' | 'plan' | 'history'>;

/** The words of the user for this request, written or approved: the message, in English too, and what it continues. */
export const wordsOf = (turn: Texts, understood: Pick<Understood, 'intent' | 'translation'>): string =>
  [turn.message, understood.translation, ...earlierMessages(turn, understood), ...approvedPlan(turn)].join('\n');

/** The messages that a message continues. A request about files goes on with the earlier ones. */
const earlierMessages = ({ continues, history }: Texts, { intent }: Pick<Understood, 'intent'>): readonly string[] =>
  continues !== undefined || intent === 'manage_files' ? history.map(({ user }) => user) : [];

const approvedPlan = ({ continues, plan }: Texts): readonly string[] =>
  continues === 'plan' && plan !== undefined ? [plan] : [];

/**
 * The texts of the user that name files to change; none where the message forbids or leaves out anything. Where the model said
 * which files are written, these, if the user names them. Else, where a text says which files it writes, only these: a file that
 * it reads may order its own change. Any other text counts as a whole in a request about files, or to change or remove something.
 */
export function filesToChange(turn: Texts, understood: Pick<Understood, 'intent' | 'translation' | 'writes'>): string {
  const own = `${turn.message}\n${understood.translation}`;
  if (isReserved(own)) return '';
  const isChange = understood.intent === 'manage_files' || TAKES_AWAY.test(wordsOf(turn, understood));
  const isOnlyTargets = !isChange || targetsOf(own).length > 0;
  const named = (text: string, writes?: readonly string[]) => {
    if (text.length > MAX_READ) return '';
    const targets = targetsOf(text);
    const given = writes?.filter((file) => namesFile(text, file)) ?? targets;
    const both = given.filter((file) => targets.some((target) => namesFile(target, file)));
    if (both.length > 0) return both.join('\n');
    return writes !== undefined || isOnlyTargets ? given.join('\n') : text;
  };
  const messages = [own, ...earlierMessages(turn, understood)].map((text) => named(text, understood.writes));
  return [...messages, ...approvedPlan(turn).map((plan) => named(plan))].join('\n');
}

/** The files that a text says are written, read line by line. The time of a line grows with the square of its length. */
const targetsOf = (text: string): readonly string[] =>
  withShortGaps(text)
    .split('\n')
    .flatMap((line) => (line.length > MAX_LINE ? [] : readRequest(line).targets));

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
    if (
      !/[\p{L}\p{N}_./\\-]$/u.test(before) &&
      !/^(?:[\p{L}\p{N}_~/\\-]|\.[\p{L}\p{N}]|\s\((?:copy|\d+)\))/u.test(after)
    )
      return true;
  }
  return false;
}
