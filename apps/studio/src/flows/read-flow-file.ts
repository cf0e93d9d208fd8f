/** A flow file as the server imports it: the object of a JSON file, else the text. */
export function sourceOf(text: string): string | Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The text form is not JSON.
  }
  return text;
}

/** The file name of an exported flow. Keeps letters and digits of any script. */
export function fileNameOf(flowName: string): string {
  const words = flowName.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.join('-').toLowerCase().slice(0, 80) || 'flow'}.json`;
}

/** A template's name as a title: `word-count` is “Word count”. */
export function templateTitle({ name, spec }: { readonly name: string; readonly spec: string }): string {
  return /^name: *(.+)$/m.exec(spec)?.[1] ?? name;
}
