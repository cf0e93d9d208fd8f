/** The form of a file's path in a sentence, as the source of a pattern: with all endings, such as `log.txt.1`. */
export const FILE_NAME = String.raw`(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,4}(?:\.\d+)*`;

/** After the whole name of a file: `log.txt~`, `a.md-copy` and `a.json (copy)` have other names than the part that matches. */
export const NAME_ENDS = String.raw`(?![\w~\\/-]|\.\w|\(|\s\((?:copy|\d+)\))`;

/** A text in quotes, which no rule for words reads. */
export const QUOTED = /`([^`]+)`|"([^"]+)"|“([^”]+)”|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;
