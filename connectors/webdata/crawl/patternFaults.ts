/** The invalid path patterns of a crawl, each with the reason. `check` reports them before any page is requested. */
import { RE2JS } from "re2js"
import type { CrawlRequest } from "#contract/Crawl"

type Patterns = Pick<CrawlRequest, "excludePaths" | "includePaths">

/** In the form of a schema check; `within`: the path of the options. */
export const patternFaults = (
  { excludePaths, includePaths }: Patterns,
  within: ReadonlyArray<PropertyKey> = []
): ReadonlyArray<{ readonly path: ReadonlyArray<PropertyKey>; readonly issue: string }> =>
  Object.entries({ includePaths, excludePaths }).flatMap(([field, patterns]) =>
    (patterns ?? []).flatMap((pattern, index) => {
      const why = faultOf(pattern)
      return why === undefined
        ? []
        : [{ path: [...within, field, index], issue: `it is not a pattern: ${why}; ${advice}` }]
    })
  )

const advice = "write a regular expression of RE2, such as ^/docs/; lookaround and backreferences are not in it"

const faultOf = (pattern: string): string | undefined => {
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, "") : String(cause)
  }
}
