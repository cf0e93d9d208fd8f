/**
 * A test of names: `*` is any text, `?` any character. No regular expression, which takes time in a power of the number of stars:
 * an agent chooses the wildcards of its commands and the names of its files, and an author that is not trusted the globs of a
 * project. The time is at most the product of both lengths.
 *
 * @param isSame whether a character of the pattern is one of the name
 */
export function wildcardTest(
  pattern: string,
  isSame: (one: string, other: string) => boolean = isEqual,
): (name: string) => boolean {
  const [first, last] = [pattern.search(/[*?]/), Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?'))];
  if (isSame === isEqual && first === -1) return (name) => name === pattern;
  // Most names are refused by how they begin or end, which is much faster than reading them.
  const [start, end] = isSame === isEqual ? [pattern.slice(0, first), pattern.slice(last + 1)] : ['', ''];
  const parts = [...pattern];
  return (name) => {
    if (!name.startsWith(start) || !name.endsWith(end)) return false;
    const chars = [...name];
    let part = 0;
    let char = 0;
    // After the latest star, and where its text ends so far. An earlier star needs no more text: the later one takes the rest.
    let afterStar = -1;
    let starEnd = 0;
    while (char < chars.length) {
      const wanted = parts[part];
      if (wanted === '*') {
        part += 1;
        [afterStar, starEnd] = [part, char];
      } else if (wanted !== undefined && (wanted === '?' || isSame(wanted, chars[char] as string))) {
        part += 1;
        char += 1;
      } else if (afterStar === -1) return false;
      else {
        starEnd += 1;
        [part, char] = [afterStar, starEnd];
      }
    }
    while (parts[part] === '*') part += 1;
    return part === parts.length;
  };
}

function isEqual(one: string, other: string): boolean {
  return one === other;
}

/** Whether two characters are the same for the most permissive file system. */
export const isSameFolded = (one: string, other: string): boolean =>
  one === other || one.toLowerCase() === other.toLowerCase() || one.toUpperCase() === other.toUpperCase();
