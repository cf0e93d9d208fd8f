/**
 * Text of somebody's machine for a model: marked as data, with where it comes from. What would close the mark is
 * broken, so nothing inside can pretend to stand outside.
 */
export function quoteUntrusted(tool: string, text: string): string {
  return `<untrusted_data source="tool:${tool}">\n${text.replace(/<(\/?)(?=untrusted_data)/gi, '&lt;$1')}\n</untrusted_data>`;
}
