/**
 * Looks for the pages of wildcards before the first job, if each page is a job of its own.
 *
 * This happens once per run, and the result is the first answer; a resumed run takes its remaining plan from its last
 * answer.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { cameNow } from "#contract/jobRequests"
import * as Limits from "#contract/Limits"
import { WebData } from "#contract/WebData"
import * as Source from "#engine/Source"
import { toSourceError } from "../toSourceError.ts"
import * as JobPlan from "./JobPlan.ts"

type Answers<R> = Stream.Stream<Source.Fetched<JobPlan.Cursor>, Source.SourceError, R>
type From = Source.ResumePoint<unknown, JobPlan.Cursor>

export const pagesFirst = <R>(
  options: { readonly rows?: "per_job" | "per_page"; readonly urls?: ReadonlyArray<string> | null | undefined },
  from: From,
  ask: (from: From) => Answers<R>
): Answers<R | WebData> => {
  const wildcards = (options.urls ?? []).filter(JobPlan.isWildcard)
  if (options.rows !== "per_page" || wildcards.length === 0 || Option.isSome(from.after)) return ask(from)
  return Stream.unwrap(
    Effect.gen(function* () {
      const found = yield* Effect.forEach(wildcards, pagesOf)
      const plain = (options.urls ?? []).filter((url) => !JobPlan.isWildcard(url))
      const left = [...new Set([...plain, ...found.flat()])]
      if (left.length === 0) return Stream.fail(nothing(wildcards))
      const cursor: JobPlan.Cursor = {
        task: { name: "pages", urls: wildcards, tries: 0 },
        state: { ...JobPlan.begin, pages: { left, found: left.length } },
        isLast: false
      }
      const answer = yield* cameNow({ kind: "pages", text: JSON.stringify(left), cursor })
      return Stream.concat(Stream.make(answer), ask({ ...from, after: Option.some(cursor) }))
    })
  )
}

/** The pages of a wildcard, as an extract of it would read them: no more than one extract reads. */
const pagesOf = Effect.fnUntraced(function* (wildcard: string) {
  const { map } = yield* WebData
  const start = wildcard.trim().replace(/\/\*$/, "/")
  const url = /^[a-z]+:\/\//i.test(start) ? start : `https://${start}`
  const { links } = yield* Effect.mapError(
    map.map({ payload: { url, limit: Limits.maxExtractPages } }),
    toSourceError("extract")
  )
  const path = URL.parse(url)?.pathname ?? "/"
  return links.map((link) => link.url).filter((href) => URL.parse(href)?.pathname.startsWith(path) === true)
})

const nothing = (wildcards: ReadonlyArray<string>) =>
  new Source.SourceError({
    source: "extract",
    message: `no page was found for ${wildcards.join(", ")}; check that the site answers, or name its pages under urls`,
    retryable: false,
    over: true
  })
