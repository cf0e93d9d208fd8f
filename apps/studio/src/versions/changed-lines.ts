/** A line of a text that changed. */
export interface ChangedLine {
  readonly sign: '−' | '+' | ' ';
  readonly text: string;
}

/**
 * The lines that differ between two texts, with one line before and after them. Lines are compared from both ends, so a
 * change in the middle of a long text is short.
 */
export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [olds, news] = [before.split('\n'), after.split('\n')];
  const most = Math.min(olds.length, news.length);
  let start = 0;
  while (start < most && olds[start] === news[start]) start += 1;
  let end = 0;
  while (end < most - start && olds.at(-1 - end) === news.at(-1 - end)) end += 1;
  const lines = (list: readonly string[], sign: ChangedLine['sign'], from: number, to: number) =>
    list.slice(Math.max(0, from), to).map((text): ChangedLine => ({ sign, text }));
  return [
    ...lines(olds, ' ', start - 1, start),
    ...lines(olds, '−', start, olds.length - end),
    ...lines(news, '+', start, news.length - end),
    ...lines(news, ' ', news.length - end, news.length - end + 1),
  ];
}
