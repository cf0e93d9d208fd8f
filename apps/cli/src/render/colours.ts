/** Colours for a terminal. Plain text without a terminal, or if NO_COLOR is set. */
export interface Palette {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

export function palette(stream: { isTTY?: boolean }): Palette {
  const on = (stream.isTTY === true || process.env.FORCE_COLOR !== undefined) && !process.env.NO_COLOR;
  const paint = (open: number, close: number) => (text: string) =>
    on ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { bold: paint(1, 22), dim: paint(2, 22), red: paint(31, 39), green: paint(32, 39), yellow: paint(33, 39) };
}
