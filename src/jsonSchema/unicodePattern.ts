/**
 * A regular expression as people write it, for JavaScript's `u` flag.
 *
 * Only a backslash without meaning is removed: before `-`, `@`, `_` and similar characters, where the `u` flag does not
 * allow it. A pattern that is still invalid stays as it is, and the validator refuses it.
 */
export const unicodePattern = (pattern: string): string => {
  if (isPattern(pattern)) return pattern
  let [plain, inClass] = ["", false]
  for (let at = 0; at < pattern.length; at++) {
    const [character = "", next = ""] = [pattern[at], pattern[at + 1]]
    if (character === "\\") {
      plain += meaningless.test(next) && !(inClass && next === "-") ? next : character + next
      at++
      continue
    }
    if (character === "[") inClass = true
    if (character === "]") inClass = false
    plain += character
  }
  return isPattern(plain) ? plain : pattern
}

/** Neither a letter or digit, nor one of the characters that patterns are made of. */
const meaningless = /^[^A-Za-z0-9^$\\.*+?()[\]{}|/]$/

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u") instanceof RegExp
  } catch {
    return false
  }
}
