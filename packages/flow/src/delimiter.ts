/** Characters in which the line with the names of the columns has to end. */
const MAX_HEAD = 65_536;
const QUOTED = /(^|[,;\t])"[^"]*(?:""[^"]*)*"(?!")/g;

/**
 * The character between the values of a CSV or TSV text: tab where the name of the file ends in `.tsv`, else comma, semicolon or tab,
 * whichever the first line has most outside of quotes.
 *
 * @param name of the file; empty where the text is not of one
 */
export function delimiterOf(text: string, name: string): string {
  if (/\.tsv$/i.test(name)) return '\t';
  const head = text
    .slice(0, MAX_HEAD)
    .replace(/^\ufeff?[\r\n]*/, '')
    .replace(QUOTED, '$1');
  const line = /^[^\r\n]*/.exec(head)?.[0] ?? '';
  const countOf = (each: string) => line.split(each).length;
  return [';', '\t'].reduce((best, each) => (countOf(each) > countOf(best) ? each : best), ',');
}
