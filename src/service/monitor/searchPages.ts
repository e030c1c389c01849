/**
 * Handles a target of searches: results that are new, removed or changed.
 *
 * A result is known by its URL, whichever query found it, and consists of its title and its description. If a search fails,
 * the target fails and nothing is reported as removed. The cost is charged when the pages are recorded.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Limits from "#contract/Limits"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import { uuid7 } from "#contract/uuid7"
import type { WebHit } from "#web/SearchHit"
import * as SearchRun from "#web/SearchRun"
import type { StoreError } from "#web/StoreError"
import * as Definition from "./Definition.ts"
import type * as Finding from "./Finding.ts"
import * as Findings from "./Findings.ts"
import type { Check, TargetProgress } from "./Monitor.ts"
import { TeamCredits } from "./TeamCredits.ts"

type SearchTarget = Extract<Check["definition"]["targets"][number], { readonly type: "search" }>

type Write = (
  next: TargetProgress,
  cost?: { readonly shown: number; readonly charged: number }
) => Effect.Effect<void, StoreError>

export const searchPages = Effect.fnUntraced(function* (
  context: Findings.Context<SearchTarget>,
  begun: TargetProgress,
  write: Write
) {
  const { check, target } = context
  const team = yield* TeamCredits
  const most = Definition.searchesOf(target).reduce(
    (sum, { limit }) => sum + creditsOf(limit ?? Limits.defaultSearchResults),
    0
  )
  const found = yield* team.reserving(check.teamId, most, searched(context, begun, write))
  if (Option.isNone(found)) {
    const error = `the credits of the team do not cover the searches, which may cost ${most}`
    yield* write({ ...begun, isDone: true, searchCompleted: false, error })
  }
})

const creditsOf = (results: number): number => Math.ceil(results / 10) * Limits.searchCredits

const searched = Effect.fnUntraced(function* (
  context: Findings.Context<SearchTarget>,
  begun: TargetProgress,
  write: Write
) {
  const { check, target } = context
  const hits = new Map<string, WebHit>()
  const warnings: Array<string> = []
  let credits = 0
  for (const request of Definition.searchesOf(target)) {
    const asked = SearchRun.run(check.teamId, request).pipe(
      Effect.map((results) => ({ results, error: undefined })),
      Effect.catchTag(["BadGateway", "BadRequest"], ({ message }) =>
        Effect.succeed({ results: undefined, error: message })
      )
    )
    const { error, results } = yield* asked
    if (results === undefined) return yield* write({ ...begun, isDone: true, searchCompleted: false, error })
    const web = results.web ?? []
    credits += creditsOf(web.length)
    warnings.push(...results.warnings)
    for (const hit of web) {
      const url = PageUrl.normalize(hit.url)
      const key = url === undefined ? undefined : PageUrl.key(url, false)
      if (key !== undefined && !hits.has(key)) hits.set(key, hit)
    }
  }
  const found = [...hits].map(
    ([key, hit]): Finding.Page => ({
      targetId: target.id,
      key,
      askedKey: key,
      url: hit.url,
      document: documentOf(hit)
    })
  )
  for (let from = 0; from < found.length; from += Findings.together) {
    yield* Findings.pages(context, found.slice(from, from + Findings.together))
  }
  // A search with a warning may be incomplete, so results that it did not find may still exist.
  yield* Findings.unseen(context, warnings.length === 0 ? undefined : `not found, and ${warnings.join("; ")}`)
  const warning = warnings.length === 0 ? {} : { warning: [...new Set(warnings)].join("; ") }
  const counts = { searchCompleted: true, resultCount: found.length, searchCredits: credits }
  yield* write({ ...begun, isDone: true, ...counts, ...warning }, { shown: credits, charged: credits })
})

const documentOf = ({ description, title, url }: WebHit): PageDocument => ({
  markdown: description,
  metadata: { title, sourceURL: url, url, statusCode: 200, scrapeId: uuid7() }
})
