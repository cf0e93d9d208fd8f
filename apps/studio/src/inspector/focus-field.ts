/** Whether keys that are typed now change a text or a value there. */
export const isField = (element: Element | null): boolean =>
  element?.matches('input, textarea, select, [contenteditable=true]') === true;

/**
 * Moves the focus to a field of the inspector, and opens the part that it is in. Without such a field the inspector gets the
 * focus. Returns false while the inspector of the component is not there yet.
 */
export function focusField(box: HTMLElement, node: string, name: string | undefined): boolean {
  const inspector = box.querySelector<HTMLElement>(`[data-component="${CSS.escape(node)}"]`);
  if (!inspector) return false;
  // Someone types there already.
  if (inspector.contains(document.activeElement) && isField(document.activeElement)) return true;
  const row = name === undefined ? null : inspector.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
  const control = row?.querySelector<HTMLElement>('input, select, textarea, button, [tabindex]');
  const closed = row?.closest('details');
  if (closed) closed.open = true;
  row?.scrollIntoView({ block: 'center' });
  (control ?? inspector).focus({ preventScroll: true });
  return true;
}
