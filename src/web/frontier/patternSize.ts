/**
 * The approximate size of an RE2 pattern once it is compiled: `(ab){100}` has two hundred steps.
 *
 * It is estimated before compiling, because a pattern of 2,000 characters may become a program that takes seconds to
 * build: each character is a step, and a counted repetition multiplies its part.
 */
export const patternSize = (pattern: string): number => {
  /** The steps of the open groups, and of the last part of each, which a repetition repeats. */
  const groups = [{ size: 0, last: 0 }]
  let group = groups[0] ?? { size: 0, last: 0 }
  const add = (steps: number) => {
    group.size += steps
    group.last = steps
  }
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at, at + longestPart)
    const repeated = repetition.exec(rest)
    const part = repeated?.[0] ?? onePart.exec(rest)?.[0] ?? rest.slice(0, 1)
    at += part.length
    if (repeated !== null) {
      const times = Math.max(1, Number(repeated[1] ?? 0), Number(repeated[2] ?? 0))
      group.size += group.last * (times - 1)
      group.last *= times
    } else if (part === "(") {
      group = { size: 1, last: 0 }
      groups.push(group)
    } else if (part === ")" && groups.length > 1) {
      const { size } = groups.pop() ?? group
      group = groups.at(-1) ?? group
      add(size + 1)
    } else if (part !== "" && !quantifiers.has(part)) add(1)
    // An uncounted repetition adds one step to its part.
    else group.size += 1
  }
  return groups.reduce((sum, { size }) => sum + size, 1)
}

const repetition = /^\{(\d{1,4})(?:,(\d{1,4})?)?\}/

/** An escape with its braces, or a class, which is one step however many characters it has. */
const onePart = /^(?:\\[xpP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\])/s

const quantifiers = new Set(["*", "+", "?"])

/** How far to look for the end of a part; the contract accepts patterns of 2,000 characters. */
const longestPart = 2100
