/**
 * Quotes text from a connected machine for a model, marked as data with its source. Escapes tags inside the text that
 * would end the quotation.
 */
export function quoteUntrusted(tool: string, text: string): string {
  return `<untrusted_data source="tool:${tool}">\n${text.replace(/<(\/?)(?=untrusted_data)/gi, '&lt;$1')}\n</untrusted_data>`;
}
