/**
 * A regular expression as people write it, for JavaScript's `u` flag.
 *
 * The law: only a backslash that means nothing is taken away: before `-`, `@`, `_` and their like, where the `u` flag does
 * not have it. What is still no pattern then stays as it is, for the validator to refuse.
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
