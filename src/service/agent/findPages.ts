/**
 * The first pages of a run: the given pages, or else those that the prompt names and a search finds.
 *
 * A run that is constrained to its URLs does not search.
 */
import * as Effect from "effect/Effect"
import type { Json } from "#contract/JsonSchema"
import * as PageUrl from "#contract/PageUrl"
import type { Lead } from "#web/Gather"
import { interleave } from "#web/interleave"
import type { Job } from "#web/Job"
import { Search } from "#web/Search"
import type { AgentPlan } from "./AgentPlan.ts"
import type { Recorder } from "./Recorder.ts"
import { orchestrator } from "./SubAgents.ts"

export const findPages = Effect.fnUntraced(function* (job: Job, plan: AgentPlan, recorder: Recorder) {
  const given = plan.urls.map((url): Lead => ({ url, depth: 0, kind: "start", score: 100 }))
  if (plan.isStrict || given.length > 0) return given
  return [...given, ...(yield* searched(job, plan, recorder))]
})

const searched = Effect.fnUntraced(function* (job: Job, plan: AgentPlan, recorder: Recorder) {
  const search = yield* Search
  const named = [...plan.words.matchAll(/\bhttps?:\/\/[^\s"'<>)]+/g)].flatMap(([href]) => PageUrl.normalize(href) ?? [])
  const hits = yield* recorder.tool(
    orchestrator,
    "search",
    { query: plan.words },
    Effect.gen(function* () {
      const local = yield* search.local(job.teamId, plan.words, maxHits)
      const web = yield* Effect.result(search.web(plan.words, maxHits))
      const found = interleave(local, web._tag === "Success" ? web.success : [], maxHits)
      const result: { readonly [name: string]: Json } = {
        hits: found.map(({ title, url }) => ({ url, title })),
        ...(web._tag === "Failure" ? { error: web.failure.message } : {})
      }
      return { value: found, result }
    })
  )
  const urls = [...named, ...hits.flatMap(({ url }) => PageUrl.normalize(url) ?? [])]
  return urls.map(
    (url, at): Lead => ({ url, depth: 0, kind: at < named.length ? "start" : "external", score: 60 - at })
  )
})

/** The maximum number of pages from a search. */
const maxHits = 10
