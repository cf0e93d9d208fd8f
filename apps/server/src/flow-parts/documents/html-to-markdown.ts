/** Tags of the HTML that mammoth writes: it is well-formed and has few elements. */
const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)/g;

/** Markdown of the HTML that mammoth makes of a Word document. Not for other HTML. */
export function htmlToMarkdown(html: string): string {
  let text = '';
  let depth = 0;
  const lists: ('ul' | 'ol')[] = [];
  const numbers: number[] = [];
  const links: string[] = [];
  let isFirstRow = false;
  let cells = 0;
  const block = () => {
    if (depth === 0 && lists.length === 0) text = `${text.trimEnd()}\n\n`;
  };
  for (const [, closing, tag = '', attributes = '', plain] of html.matchAll(TOKEN)) {
    if (plain !== undefined) {
      text += depth > 0 ? decoded(plain).replace(/\s+/g, ' ').replaceAll('|', '\\|') : decoded(plain);
      continue;
    }
    const opens = closing === '';
    const level = /^h([1-6])$/.exec(tag)?.[1];
    if (level !== undefined || tag === 'p') {
      block();
      if (opens && level !== undefined && depth === 0) text += `${'#'.repeat(Number(level))} `;
    } else if (tag === 'strong') text += '**';
    else if (tag === 'em') text += '*';
    else if (tag === 'br') text += depth > 0 ? ' ' : '\n';
    else if (tag === 'ul' || tag === 'ol') {
      if (opens) {
        if (lists.length === 0) block();
        lists.push(tag);
        numbers.push(0);
      } else {
        lists.pop();
        numbers.pop();
        if (lists.length === 0) block();
      }
    } else if (tag === 'li' && opens) {
      const number = (numbers[numbers.length - 1] ?? 0) + 1;
      numbers[numbers.length - 1] = number;
      const mark = lists.at(-1) === 'ol' ? `${number}.` : '-';
      const isFirst = number === 1 && lists.length === 1;
      text = `${isFirst ? text : `${text.trimEnd()}\n`}${'  '.repeat(Math.max(0, lists.length - 1))}${mark} `;
    } else if (tag === 'a') {
      if (opens) {
        links.push(decoded(/href="([^"]*)"/.exec(attributes)?.[1] ?? ''));
        text += links.at(-1) === '' ? '' : '[';
      } else {
        const link = links.pop() ?? '';
        text += link === '' ? '' : `](${link})`;
      }
    } else if (tag === 'table') {
      if (opens) {
        block();
        depth++;
        if (depth === 1) isFirstRow = true;
      } else {
        depth--;
        block();
      }
    } else if (tag === 'tr' && depth === 1) {
      if (opens) {
        cells = 0;
        text += '|';
      } else {
        text += '\n';
        if (isFirstRow) text += `|${' --- |'.repeat(cells)}\n`;
        isFirstRow = false;
      }
    } else if ((tag === 'td' || tag === 'th') && depth === 1) {
      if (opens) text += ' ';
      else {
        cells++;
        text += ' |';
      }
    }
  }
  return text.replace(/\n{3,}/g, '\n\n').trim();
}

const decoded = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
