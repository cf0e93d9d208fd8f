/** The selected rows, the focused row, and the start of a range. Rows are identified by paths. */
export interface Selection {
  readonly active: string | undefined;
  readonly anchor: string | undefined;
  readonly chosen: ReadonlySet<string>;
}

/** The empty selection. */
export const NONE: Selection = { active: undefined, anchor: undefined, chosen: new Set() };

/** Moves the focus to a row; with `extend` selects all rows from the start of the range. */
export function moveTo(selection: Selection, rows: readonly string[], row: string, extend: boolean): Selection {
  if (!extend) return { ...selection, active: row, anchor: row };
  const anchor = selection.anchor ?? selection.active ?? row;
  const [from, to] = [rows.indexOf(anchor), rows.indexOf(row)].toSorted((a, b) => a - b) as [number, number];
  return { active: row, anchor, chosen: new Set(rows.slice(Math.max(0, from), to + 1)) };
}

/** Toggles the selection of a row. */
export function toggle(selection: Selection, row: string): Selection {
  const chosen = new Set(selection.chosen);
  if (!chosen.delete(row)) chosen.add(row);
  return { active: row, anchor: row, chosen };
}

/** Selects all rows, or none if all were selected. */
export function toggleAll(selection: Selection, rows: readonly string[]): Selection {
  const all = rows.every((row) => selection.chosen.has(row));
  return { ...selection, chosen: new Set(all ? [] : rows) };
}

/**
 * Updates a selection after rows were removed. The focus stays at the same position, or follows a renamed row.
 */
export function keepAmong(selection: Selection, before: readonly string[], rows: readonly string[]): Selection {
  const present = new Set(rows);
  const chosen = new Set([...selection.chosen].filter((row) => present.has(row)));
  const { active } = selection;
  if (active === undefined || present.has(active)) return { ...selection, chosen };
  const was = new Set(before);
  const added = rows.filter((row) => !was.has(row));
  const [renamed] = added;
  if (renamed !== undefined && added.length === 1 && rows.length === before.length)
    return { active: renamed, anchor: renamed, chosen };
  const height = Math.min(before.indexOf(active), rows.length - 1);
  const next = rows[Math.max(0, height)];
  return { active: next, anchor: next, chosen };
}

/** The row that a key moves to; undefined for keys that do not move the focus. */
export function rowForKey(key: string, rows: readonly string[], active: string | undefined): string | undefined {
  const at = active === undefined ? -1 : rows.indexOf(active);
  const last = rows.length - 1;
  const to: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 10,
    PageUp: at - 10,
    Home: 0,
    End: last,
  };
  const index = Object.hasOwn(to, key) ? to[key] : undefined;
  return index === undefined ? undefined : rows[Math.min(last, Math.max(0, index))];
}
