/** The path patterns of a crawl that cannot be read, each with the reason. `check` reports them, before any page is asked for. */
import { RE2JS } from "re2js"
import type { CrawlRequest } from "../../../src/api/Crawl.ts"

type Patterns = Pick<CrawlRequest, "excludePaths" | "includePaths">

/** As a check of a schema has them; `within`: where the options stand. */
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
