import { FILE_NAME, QUOTED } from './draft/file-names.ts';
import { withoutForbidden } from './draft/forbidden.ts';
import { POLITE } from './intent.ts';

/** Characters of a message that are read. A longer one counts as reserved, so that its files are asked about. */
export const MAX_READ = 8_000;

const NAMES = new RegExp(`(?<![\\w/.-])${FILE_NAME}`, 'gi');
/** Words that turn an order into its opposite, or leave something out of it. */
const RESERVES =
  /\b(?:not|\w+n[’']t|dont|cannot|never|no|nor|neither|nothing|none|without|except|unless|avoid\w*|refrain\w*|refus\w*|forbid\w*|prohibit\w*|apart\s+from|other\s+than|instead\s+of|rather\s+than|hands\s+off|off[\s-]limits|read[\s-]?only|untouched|unchanged|alone|as\s+(?:it|they)\s+(?:is|are)|as\s+is|all\s+(?:[\w-]+\s+){0,3}but)\b/i;
/** Words that make an order depend on something, or put it off. */
const DEPENDS =
  /\b(?:but|only|first|before|after|yet|until|if|once|when|later|tomorrow|wait|stop|ask\w*|back\s?up|dry|preview\w*|maybe|perhaps|might|should|safe(?:ly)?|would|hypothetical\w*|possibl[ey]|as\s+a\s+test|suggest\w*|propos\w*)\b|\b(?:can|could|shall|may|will)\s+(?:I|we)\b|[,;.]\s*(?:what|how|show)\b/i;

/**
 * Whether a message has a word that forbids or leaves out something. Where these words belong in a sentence is hard to say, so
 * such a message names no file that may be changed without a question.
 */
export const isReserved = (message: string): boolean =>
  message.length > MAX_READ || RESERVES.test(withoutValues(message));

/** Whether a message is more than a plain order for rules that read only a part of its words. */
export const isTentative = (message: string): boolean =>
  isReserved(message) || DEPENDS.test(withoutValues(message.replace(POLITE, '')));

/** A message without its quoted texts and the names of its files, whose words say nothing about the order. */
const withoutValues = (message: string): string => message.replace(QUOTED, '…').replace(NAMES, '…');

/** Whether a message forbids an act on files or on the flow. It holds for later messages of the conversation too. */
export const forbidsActs = (message: string): boolean =>
  message.length > MAX_READ || withoutForbidden(message).forbidden.length > 0;

/** Whether a message forbids a run. */
export const forbidsRun = (message: string): boolean =>
  message.length > MAX_READ ||
  withoutForbidden(message).forbidden.some((each) => /\b(?:run|execut\w*|start|launch)\b/i.test(each));
