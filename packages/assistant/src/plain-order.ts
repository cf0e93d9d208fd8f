/** Words before the verb of an order. */
const BEGINS = String.raw`^\W*(?:(?:please|then|now|and|so|ok|okay|just|also|hey|hi|again|finally|(?:can|could|will|would)\s+you)\s+)*`;
/** Words after the verb, which say nothing else. */
const OBJECT = String.raw`(?:\s+(?:it|that|this|them|(?:the|my|this|that)\s+(?:[\w-]+\s+){0,3}?(?:flow|workflow|change|step|one|last\s+\w+)))?(?:\s+(?:once|now|again|please|too|back|for\s+me|as\s+well|once\s+more|right\s+away))*`;
const RUN = new RegExp(
  `${BEGINS}(?:re-?)?(?:run|execute|start|launch|try|test)s?\\b${OBJECT}(?:\\s+(?:with|on|using)\\b.*)?\\W*$`,
  'i',
);
const UNDO = new RegExp(`${BEGINS}(?:undo|revert|restore|take|go|bring|put|roll)\\b`, 'i');
const NAMES_UNDO = /\b(?:undo|revert|restore|take\b.*\bback|go\s+back|roll\s+back)\b/i;
/** A part of its own that puts the order off. */
const PUTS_OFF = /(?:^|[,;.!]\s*)(?:once|when|if|after|later|tomorrow|unless|until|but|wait|ask|not)\b/i;

/** The parts of a message between stops, commas and the words that join orders. */
const partsOf = (message: string): readonly string[] => message.split(/[.,;:!?]+(?:\s+|$)|\n+|\s+(?:and|then|but)\s+/);

/** Whether a part of a message orders to run the flow, or names the tool, and says nothing else, such as when. */
export const ordersRun = (message: string): boolean =>
  /^\s*run_flow\b/.test(message) || (!PUTS_OFF.test(message) && partsOf(message).some((part) => RUN.test(part)));

/** Whether a message that names an undo orders it. Other messages are not about one. */
export const ordersUndo = (message: string): boolean =>
  !NAMES_UNDO.test(message) || (!PUTS_OFF.test(message) && partsOf(message).some((part) => UNDO.test(part)));
