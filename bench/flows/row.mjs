/** A row of the table. Without a bar, it only informs. */
export function row(name, result, bar, held) {
  return { held, cells: [name, result, bar, bar === '' ? '' : held ? 'yes' : '**no**'] };
}
