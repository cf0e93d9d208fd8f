import { withoutForbidden } from './draft/forbidden.ts';
import { readRequest } from './draft/request-parts.ts';
import { type Intent, isQuestion, type Understood } from './intent.ts';
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
  const isOrder = !isQuestion(message);
  return { change: true, remove: isOrder, write: isOrder, run: isOrder, runWrites: isOrder };
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
 * The texts of the user that name files to change. Where a text says which files it writes, only these: a file that it reads
 * may order its own change. Any other text counts in a request about files, or to change or remove something: its files that
 * the model says are written, and the whole text where the model did not say. A file that the message says is not to be changed
 * never counts.
 */
export function filesToChange(turn: Texts, understood: Pick<Understood, 'intent' | 'translation' | 'writes'>): string {
  const own = `${turn.message}\n${understood.translation}`;
  const isChange = understood.intent === 'manage_files' || TAKES_AWAY.test(wordsOf(turn, understood));
  const isOnlyTargets = !isChange || filesIn(own).targets.length > 0;
  const ownForbidden = filesIn(own).forbidden;
  const named = (text: string, writes?: readonly string[]) => {
    const { targets, forbidden } = filesIn(text);
    const isFree = (file: string) => ![...forbidden, ...ownForbidden].some((other) => namesFile(other, file));
    if (targets.length > 0 || isOnlyTargets) return targets.filter(isFree).join('\n');
    const ordered = withoutForbidden(text).text;
    if (writes !== undefined) return writes.filter((file) => namesFile(ordered, file) && isFree(file)).join('\n');
    return [...forbidden, ...ownForbidden].reduce((rest, file) => rest.replaceAll(file, ''), ordered);
  };
  const messages = [own, ...earlierMessages(turn, understood)].map((text) => named(text, understood.writes));
  return [...messages, ...approvedPlan(turn).map((plan) => named(plan))].join('\n');
}

/**
 * The files that a text says are written, and those that it says are not to be changed, read line by line. The time of a line
 * grows with the square of its length.
 */
function filesIn(text: string): { readonly targets: readonly string[]; readonly forbidden: readonly string[] } {
  const lines = text.split('\n').filter((line) => line.length <= MAX_LINE);
  const read = lines.map((line) => {
    const { text: ordered, forbidden } = withoutForbidden(line);
    return [readRequest(ordered), ...forbidden.map(readRequest)] as const;
  });
  return {
    targets: read.flatMap(([ordered]) => ordered.targets),
    forbidden: read.flatMap(([ordered, ...others]) => [
      ...ordered.forbidden,
      ...others.flatMap((each) => [...each.forbidden, ...each.paths, ...each.targets]),
    ]),
  };
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
    if (
      !/[\p{L}\p{N}_./\\-]$/u.test(before) &&
      !/^(?:[\p{L}\p{N}_~/\\-]|\.[\p{L}\p{N}]|\s\((?:copy|\d+)\))/u.test(after)
    )
      return true;
  }
  return false;
}
