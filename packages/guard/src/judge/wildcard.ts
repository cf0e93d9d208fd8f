/**
 * A test of names: `*` is any text, `?` any character. No regular expression, which takes time in a power of the number of stars:
 * an agent chooses the wildcards of its commands and the names of its files, and an author that is not trusted the globs of a
 * project. The time is at most the product of both lengths.
 *
 * @param isSame whether a character of the pattern is one of the name
 */
export function wildcardTest(
  pattern: string,
  isSame: (one: string, other: string) => boolean = (one, other) => one === other,
): (name: string) => boolean {
  const parts = [...pattern];
  return (name) => {
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

/** Whether two characters are the same for the most permissive file system. */
export const isSameFolded = (one: string, other: string): boolean =>
  one === other || one.toLowerCase() === other.toLowerCase() || one.toUpperCase() === other.toUpperCase();
