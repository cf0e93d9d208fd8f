const ENDS = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['cancelled', 'was cancelled'],
  ['timed_out', 'timed out'],
]);

/** How a run ended, as the end of a sentence: "The run timed out". Other states than those of an ended run keep their name. */
export const endedText = (status: string): string => ENDS.get(status) ?? `is ${status}`;
