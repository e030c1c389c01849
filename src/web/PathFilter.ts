/**
 * includePaths and excludePaths: RE2 patterns, matched unanchored against the path or against the whole URL.
 *
 * Specification, POST /v2/crawl, rules 1-3: lookaround and backreferences do not exist; a pattern that does not compile
 * is reported to the caller before the crawl starts; matching is linear in the length of the URL. Linear may still be
 * long: a thousand patterns, each on a hundred thousand links. So the size of patterns is limited, and matching yields
 * to other work.
 */
import * as Effect from "effect/Effect"
import { RE2JS } from "re2js"
import { BadRequest, type Detail } from "#contract/Errors"
import * as Limits from "#contract/Limits"
import * as PageUrl from "#contract/PageUrl"

export interface PathFilter {
  /** Whether excludePaths matches it. */
  readonly excludes: (url: URL) => boolean
  /** Whether includePaths matches it or is empty. */
  readonly includes: (url: URL) => boolean
  /** The links that are included and not excluded. Matching yields to other work in between. */
  readonly passing: (links: ReadonlyArray<string>) => Effect.Effect<Passing>
}

interface Passing {
  readonly links: ReadonlyArray<string>
  /** How many links were left out because they are too long for a pattern. */
  readonly tooLong: number
}

interface Patterns {
  readonly includePaths: ReadonlyArray<string>
  readonly excludePaths: ReadonlyArray<string>
  readonly regexOnFullURL: boolean
}

/** The filter without patterns. */
export const everything: PathFilter = {
  excludes: () => false,
  includes: () => true,
  passing: (links) => Effect.succeed({ links, tooLong: 0 })
}

export const ofPatterns = Effect.fnUntraced(function* ({ excludePaths, includePaths, regexOnFullURL }: Patterns) {
  const all = [...includePaths, ...excludePaths]
  if (all.length === 0) return everything
  const characters = all.reduce((sum, pattern) => sum + pattern.length, 0)
  if (all.length > Limits.maxPatternsCombined || characters > Limits.maxPatternCharactersCombined) {
    return yield* new BadRequest({
      message:
        `includePaths and excludePaths together take at most ${Limits.maxPatternsCombined} patterns and ` +
        `${Limits.maxPatternCharactersCombined} characters; these have ${all.length} and ${characters}`
    })
  }
  const sizes = all.map(patternSize)
  if (sizes.every((size) => size <= maxSize) && sizes.reduce((sum, size) => sum + size, 0) > maxSizeCombined) {
    return yield* new BadRequest({
      message: "includePaths and excludePaths are too large together; repeat fewer parts by number, such as {1000}"
    })
  }
  const include = yield* compile("includePaths", includePaths)
  const exclude = yield* compile("excludePaths", excludePaths)
  const details = [...include.details, ...exclude.details]
  if (details[0] !== undefined) return yield* new BadRequest({ message: details[0].message, details })
  return filterOf(include.compiled, exclude.compiled, regexOnFullURL ? (url) => url.href : (url) => url.pathname)
})

const compile = Effect.fnUntraced(function* (field: string, patterns: ReadonlyArray<string>) {
  const compiled: Array<RE2JS> = []
  const details: Array<Detail> = []
  let steps = 0
  for (const [index, pattern] of patterns.entries()) {
    const size = patternSize(pattern)
    const path = [field, index]
    if (size > maxSize) {
      const why = `it has some ${size} steps, and may have ${maxSize}; repeat fewer parts by number`
      details.push({ path, message: `${field}[${index}] is too large: ${why}` })
      continue
    }
    if ((steps += size) > compiledInTurn) {
      steps = size
      yield* Effect.yieldNow
    }
    const made = compiledOf(pattern)
    if (typeof made === "string") details.push({ path, message: `${field}[${index}] is not an RE2 pattern: ${made}` })
    else compiled.push(made)
  }
  return { compiled, details }
})

/** The compiled pattern, or why it is not valid. */
const compiledOf = (pattern: string): RE2JS | string => {
  try {
    return RE2JS.compile(pattern)
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** Whether a pattern matches. tooLong: matching would take too long and was not tried. */
type Verdict = "yes" | "no" | "tooLong"

const filterOf = (
  include: ReadonlyArray<RE2JS>,
  exclude: ReadonlyArray<RE2JS>,
  subject: (url: URL) => string
): PathFilter => {
  /**
   * Matches one pattern after the other until the URL is decided. Yields the cost of each, returns whether the URL
   * passes.
   */
  function* judge(text: string): Generator<number, Verdict> {
    for (const pattern of exclude) {
      const verdict = ask(pattern, text)
      yield stepsOf(pattern, text)
      // If it cannot be decided whether the URL is excluded, it is not followed.
      if (verdict !== "no") return verdict === "yes" ? "no" : verdict
    }
    let answer: Verdict = include.length === 0 ? "yes" : "no"
    for (const pattern of include) {
      const verdict = ask(pattern, text)
      yield stepsOf(pattern, text)
      if (verdict === "yes") return verdict
      if (verdict === "tooLong") answer = verdict
    }
    return answer
  }
  const recent = new Map<string, Verdict>()
  return {
    excludes: (url) => exclude.some((pattern) => ask(pattern, subject(url)) !== "no"),
    includes: (url) => include.length === 0 || include.some((pattern) => ask(pattern, subject(url)) === "yes"),
    passing: Effect.fnUntraced(function* (links) {
      const passing: Array<string> = []
      let [steps, tooLong] = [0, 0]
      for (const link of links) {
        let verdict = recent.get(link)
        if (verdict === undefined) {
          const url = PageUrl.normalize(link)
          const judging = judge(url === undefined ? "" : subject(url))
          let next = judging.next()
          for (; next.done !== true; next = judging.next()) {
            if ((steps += next.value) < matchedInTurn) continue
            steps = 0
            yield* Effect.yieldNow
          }
          verdict = url === undefined ? "no" : next.value
          if (recent.size === maxRecent) recent.clear()
          if (link.length <= maxRecentLength) recent.set(Buffer.from(link).toString(), verdict)
        }
        if (verdict === "yes") passing.push(link)
        if (verdict === "tooLong") tooLong += 1
      }
      return { links: passing, tooLong }
    })
  }
}

const stepsOf = (pattern: RE2JS, text: string): number => (pattern.programSize() + fewestSteps) * text.length

const ask = (pattern: RE2JS, text: string): Verdict => {
  if (stepsOf(pattern, text) > maxSteps) return "tooLong"
  return pattern.matcher(text).find() ? "yes" : "no"
}

/**
 * The maximum size (`patternSize`) of one pattern, and of all. Compiling ten thousand steps takes a twentieth of a
 * second.
 */
const maxSize = 10_000
const maxSizeCombined = 250_000

/** The steps that are compiled in one turn of the event loop. */
const compiledInTurn = 2000

/** The limit of steps times characters for one text: a tenth of a second at the slowest. */
const maxSteps = 5_000_000

/** The same for one turn of the event loop: some milliseconds. */
const matchedInTurn = 250_000

/** The minimum cost of a pattern: a short one takes time too. */
const fewestSteps = 10

/** Links that every page of a site repeats are matched once. */
const maxRecent = 10_000
const maxRecentLength = 500

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
