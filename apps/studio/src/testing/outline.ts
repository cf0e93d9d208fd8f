const SKIPPED: ReadonlySet<string> = new Set(['class', 'style', 'id']);
const FIELDS: ReadonlySet<string> = new Set(['INPUT', 'TEXTAREA', 'SELECT']);
/** Ids that React counts in a page. */
const COUNTED = /«r\w+»|:r\w+:|_r_\w+_/g;

/**
 * The elements inside a box that have a text of their own, attributes or a value, each as one line, such as
 * `button[aria-label=Close][disabled]` or `p Saved`. Without classes and styles. Icons have their name and size. Ids of React are
 * numbered by their order.
 */
export function outline(box: Element): readonly string[] {
  const ids: string[] = [];
  const number = (id: string) => {
    if (!ids.includes(id)) ids.push(id);
    return `#${ids.indexOf(id) + 1}`;
  };
  return [...box.querySelectorAll('*')]
    .filter((each) => each.parentElement?.closest('svg') == null)
    .map((each) => lineOf(each).replaceAll(COUNTED, number))
    .filter((line) => /\W/.test(line));
}

function lineOf(element: Element): string {
  if (element.localName === 'svg')
    return `icon ${/lucide-(\S+)/.exec(element.getAttribute('class') ?? '')?.[1]} ${element.getAttribute('width')}`;
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent);
  const attributes = [...element.attributes]
    .filter(({ name }) => !SKIPPED.has(name) && name !== 'value')
    .map(({ name, value }) => (value === '' ? `[${name}]` : `[${name}=${value}]`));
  const hasId = new RegExp(COUNTED).test(element.id);
  const head = `${element.localName}${hasId ? element.id : ''}${attributes.join('')}`;
  return [`${head}${stateOf(element)}`, own.join('').trim().replaceAll('\n', '\\n')]
    .filter((part) => part !== '')
    .join(' ');
}

/** The text or the state of a field. */
function stateOf(element: Element): string {
  if (!FIELDS.has(element.tagName)) return '';
  const { type, value, checked } = element as HTMLInputElement;
  if (type === 'checkbox' || type === 'radio') return checked ? '[checked]' : '';
  return value ? `[value=${value}]` : '';
}
