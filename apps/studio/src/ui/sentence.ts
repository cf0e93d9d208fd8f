/** A text that ends like a sentence, so that another one can follow it. */
export function asSentence(text: string): string {
  return /[.!?…:]["'”’)\]]?$/.test(text.trimEnd()) || text.trim() === '' ? text : `${text.trimEnd()}.`;
}
