/**
 * The longest run of plain characters that every match of the pattern must contain, or `undefined`. Conservative: it
 * gives up on anything that makes a part optional or alternative at the top level.
 */
export function requiredLiteral(pattern: string): string | undefined {
  let best = '';
  let run = '';
  const flush = () => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string;
    if (char === '|') return undefined;
    if (char === '(' || char === '[') {
      flush();
      i = endOfGroup(pattern, i);
      if (i === -1) return undefined;
    } else if (char === '\\') {
      const next = pattern[++i] ?? '';
      if (/[A-Za-z0-9]/.test(next)) {
        flush();
        // An escape that takes further characters: what follows is not plain text.
        if (/[xucpPk0-9]/.test(next)) return undefined;
      } else run += next;
    } else if (char === '*' || char === '?' || char === '{') {
      // The character before may not be there at all.
      run = run.slice(0, -1);
      flush();
      if (char === '{') {
        const end = pattern.indexOf('}', i);
        if (end === -1) return undefined;
        i = end;
      }
    } else if (char === '+') flush();
    else if (char === '.' || char === '^' || char === '$') flush();
    else run += char;
  }
  flush();
  // Half of a surrogate pair, left by a quantifier, is not valid text to search for.
  return best.length > 1 && !/[\ud800-\udfff]/.test(best) ? best : undefined;
}

function endOfGroup(pattern: string, start: number): number {
  if (pattern[start] === '[') {
    for (let i = start + (pattern[start + 1] === ']' ? 2 : 1); i < pattern.length; i++) {
      if (pattern[i] === '\\') i++;
      else if (pattern[i] === ']') return i;
    }
    return -1;
  }
  let depth = 0;
  for (let i = start; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '\\') i++;
    else if (char === '[') {
      i = endOfGroup(pattern, i);
      if (i === -1) return -1;
    } else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return i;
  }
  return -1;
}
