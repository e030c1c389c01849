import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import * as AgentPlan from "#service/agent/AgentPlan"
import { isFree } from "#service/agent/finishRun"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"
import { behindPort } from "../databases.ts"
import { stores } from "../serviceParts.ts"
import { turn } from "./runs.ts"

const day = 24 * 60 * 60 * 1000

/** The run with this number that a team started at a time. */
const run = (index: number, createdAt: number, fields: Partial<Job> = {}): Job => ({
  ...turn(1, { prompt: "x" }).job,
  id: `0190c0de-0000-7000-8000-${String(index).padStart(12, "0")}`,
  createdAt,
  ...fields
})

behindPort("the free runs of a team", (database) => {
  it.effect("are the first five of its day, counted in UTC, but for those that may cost more", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(stores(yield* database.fresh))
      const { create } = Context.get(context, JobStore)
      for (let index = 0; index < 5; index++) yield* create(run(index, day + index))
      yield* create(run(5, day - 1))
      yield* create(run(6, day, { teamId: "other" }))
      yield* create(run(7, day, { kind: "extract" }))
      const plan = yield* AgentPlan.ofRequest({ prompt: "x" }, [])
      const large = yield* AgentPlan.ofRequest({ prompt: "x", maxCredits: 2501 }, [])
      const free = ({ createdAt, teamId }: Job, of = plan) =>
        isFree(teamId, of, createdAt).pipe(Effect.provideContext(context))

      expect(yield* free(run(8, day + 3))).toBe(true)
      expect(yield* free(run(8, day + 4))).toBe(false)
      expect(yield* free(run(9, day + 5))).toBe(false)
      expect(yield* free(run(9, 2 * day))).toBe(true)
      expect(yield* free(run(8, day + 5, { teamId: "other" }))).toBe(true)
      expect(yield* free(run(8, day + 3), large)).toBe(false)
    })
  )
})
