/**
 * includePaths and excludePaths: RE2 patterns, matched unanchored against the path, or against the whole URL.
 *
 * Specification, POST /v2/crawl, rules 1-3: lookaround and backreferences do not exist; a pattern that does not compile
 * is reported to the caller before the crawl starts; matching is linear in the length of the URL.
 */
import * as Effect from "effect/Effect"
import { RE2JS } from "re2js"
import { BadRequest, type Detail } from "../../api/Errors.ts"
import * as Limits from "../../api/Limits.ts"

export interface PathFilter {
  /** Whether excludePaths names it. */
  readonly excludes: (url: URL) => boolean
  /** Whether includePaths names it, or there are none. */
  readonly includes: (url: URL) => boolean
}

export interface Patterns {
  readonly includePaths: ReadonlyArray<string>
  readonly excludePaths: ReadonlyArray<string>
  readonly regexOnFullURL: boolean
}

export const make = Effect.fnUntraced(function* (patterns: Patterns) {
  const all = [...patterns.includePaths, ...patterns.excludePaths]
  const characters = all.reduce((sum, pattern) => sum + pattern.length, 0)
  if (all.length > Limits.maxPatternsCombined || characters > Limits.maxPatternCharactersCombined) {
    return yield* new BadRequest({
      message:
        `includePaths and excludePaths together take at most ${Limits.maxPatternsCombined} patterns and ` +
        `${Limits.maxPatternCharactersCombined} characters; these have ${all.length} and ${characters}`
    })
  }
  const include = compile("includePaths", patterns.includePaths)
  const exclude = compile("excludePaths", patterns.excludePaths)
  const details = [...include.details, ...exclude.details]
  if (details[0] !== undefined) return yield* new BadRequest({ message: details[0].message, details })

  const subject = (url: URL) => (patterns.regexOnFullURL ? url.href : url.pathname)
  const matches = (compiled: ReadonlyArray<RE2JS>, url: URL) =>
    compiled.some((pattern) => pattern.matcher(subject(url)).find())
  const filter: PathFilter = {
    excludes: (url) => exclude.compiled.length > 0 && matches(exclude.compiled, url),
    includes: (url) => include.compiled.length === 0 || matches(include.compiled, url)
  }
  return filter
})

const compile = (field: string, patterns: ReadonlyArray<string>) => {
  const compiled: Array<RE2JS> = []
  const details: Array<Detail> = []
  for (const [index, pattern] of patterns.entries()) {
    try {
      compiled.push(RE2JS.compile(pattern))
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      details.push({ path: [field, index], message: `${field}[${index}] is not an RE2 pattern: ${why}` })
    }
  }
  return { compiled, details }
}
