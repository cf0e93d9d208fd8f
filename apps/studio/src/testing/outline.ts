const SKIPPED: ReadonlySet<string> = new Set(['class', 'style', 'id']);
const FIELDS: ReadonlySet<string> = new Set(['INPUT', 'TEXTAREA', 'SELECT']);
/** Ids that React counts in a page. */
const COUNTED = /«r\w+»|:r\w+:|_r_\w+_/g;

/**
 * The elements inside a box that have a text of their own, attributes or a value, each as one line, such as
 * `button[aria-label=Close][disabled]` or `p Saved`. Without classes and styles. Icons have their name and size, and a mark where
 * a screen reader reads them. Times have their attribute: the text depends on the zone. Ids of React are numbered by their
 * order. Elements inside one that matches `closed` are left out: the test of that component lists them.
 */
export function outline(box: Element, closed = 'svg'): readonly string[] {
  const ids: string[] = [];
  const number = (id: string) => {
    if (!ids.includes(id)) ids.push(id);
    return `#${ids.indexOf(id) + 1}`;
  };
  return [...box.querySelectorAll('*')]
    .filter((each) => each.parentElement?.closest(`svg, ${closed}`) == null)
    .map((each) => lineOf(each).replaceAll(COUNTED, number))
    .filter((line) => /\W/.test(line));
}

function lineOf(element: Element): string {
  const attribute = (name: string) => element.getAttribute(name) ?? '';
  if (element.localName === 'svg') {
    const name = /lucide-(\S+)/.exec(attribute('class'))?.[1] ?? '';
    const isRead = attribute('aria-hidden') !== 'true';
    return ['icon', name, attribute('width'), ...(isRead ? ['[read aloud]'] : [])].join(' ').trim();
  }
  if (element.localName === 'time') return `time ${attribute('dateTime')}`.trim();
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent);
  const attributes = [...element.attributes]
    .filter(({ name }) => !SKIPPED.has(name) && name !== 'value')
    .map(({ name, value }) => (value === '' ? `[${name}]` : `[${name}=${value}]`));
  const id = new RegExp(COUNTED).test(element.id) ? element.id : '';
  const head = `${element.localName}${id}${attributes.join('')}${stateOf(element)}`;
  return `${head} ${own.join('').trim()}`.trim().replaceAll('\n', '\\n');
}

/** The text or the state of a field. */
function stateOf(element: Element): string {
  if (!FIELDS.has(element.tagName)) return '';
  const { type, value, checked } = element as HTMLInputElement;
  if (type === 'checkbox' || type === 'radio') return checked ? '[checked]' : '';
  return value ? `[value=${value}]` : '';
}
