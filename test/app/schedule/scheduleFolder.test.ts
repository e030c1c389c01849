import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { scheduleFolder } from "#app/scheduleFolder"
import type { StoredTask } from "#engine/ScheduleStore"

const good = (cron: string, name?: string): string =>
  [
    ...(name === undefined ? [] : [`name: ${name}`]),
    `schedule: { cron: "${cron}", retries: 2 }`,
    "source: { type: crawl, url: http://a.example/ }",
    "sinks: { db: { type: duckdb, path: ./out.duckdb } }",
    ""
  ].join("\n")

const inFolder = <A, E>(use: (folder: string) => Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-folder-"))
    return Effect.ensuring(
      use(folder),
      Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
  })

/** What each look finds: its tasks by their cron expressions, and its news. */
const looking = (folder: string, kept: ReadonlyArray<StoredTask> = []) => {
  const look = scheduleFolder(folder, {}, kept)
  return Effect.map(look, ({ news, problems, tasks }) => ({
    tasks: Object.fromEntries(tasks.map(({ name, timing }) => [name, timing.expression])),
    news: news.map(({ _tag, path, task }) => `${_tag} ${task ?? path.slice(folder.length + 1)}`),
    messages: news.map(({ message }) => message),
    problems: Array.from(problems.keys(), (path) => path.slice(folder.length + 1))
  }))
}

it.effect("finds the pipeline files that have a schedule, and no other program's files", () =>
  inFolder((folder) =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "a.yaml"), good("0 1 * * *"))
      writeFileSync(join(folder, "b.yml"), good("0 2 * * *", "bee"))
      writeFileSync(join(folder, "none.yaml"), good("0 2 * * *").replace(/^schedule.*\n/, ""))
      writeFileSync(join(folder, "compose.yaml"), "services: { web: {} }\n")
      writeFileSync(join(folder, "notes.txt"), good("0 3 * * *"))

      expect(yield* looking(folder)).toEqual({
        tasks: { a: "0 1 * * *", bee: "0 2 * * *" },
        news: ["Added a", "Added bee"],
        messages: [undefined, undefined],
        problems: []
      })
    })
  )
)

it.effect("follows files that are changed, broken, mended, moved away for a moment, and removed", () =>
  inFolder((folder) =>
    Effect.gen(function* () {
      const path = join(folder, "a.yaml")
      writeFileSync(path, good("0 1 * * *"))
      const look = looking(folder)
      yield* look
      expect(yield* look).toMatchObject({ tasks: { a: "0 1 * * *" }, news: [] })

      writeFileSync(path, good("0 11 * * *"))
      expect(yield* look).toMatchObject({ tasks: { a: "0 11 * * *" }, news: ["Changed a"] })

      writeFileSync(path, good("0 25 * * *"))
      const broken = yield* look
      expect(broken).toMatchObject({ tasks: { a: "0 11 * * *" }, news: ["Broken a"] })
      expect(broken.messages[0]).toContain('a.yaml:1:19: `schedule.cron`: "0 25 * * *" is not a cron expression')
      expect(yield* look).toMatchObject({ tasks: { a: "0 11 * * *" }, news: [] })
      writeFileSync(path, "")
      expect(yield* look).toMatchObject({ tasks: { a: "0 11 * * *" }, news: ["Broken a"] })

      writeFileSync(path, good("0 12 * * *"))
      expect(yield* look).toMatchObject({ tasks: { a: "0 12 * * *" }, news: ["Changed a"] })

      renameSync(path, join(folder, "a.bak"))
      expect(yield* look).toMatchObject({ tasks: { a: "0 12 * * *" }, news: [] })
      renameSync(join(folder, "a.bak"), path)
      expect(yield* look).toMatchObject({ tasks: { a: "0 12 * * *" }, news: [] })

      rmSync(path)
      yield* look
      expect(yield* look).toMatchObject({ tasks: {}, news: ["Removed a"] })
      writeFileSync(path, good("0 13 * * *"))
      expect(yield* look).toMatchObject({ tasks: { a: "0 13 * * *" }, news: ["Added a"] })
      writeFileSync(path, good("0 13 * * *").replace(/^schedule.*\n/, ""))
      expect(yield* look).toMatchObject({ tasks: {}, news: ["Removed a"] })
    })
  )
)

it.effect("goes on with the last good version of a file that was broken while nobody looked", () =>
  inFolder((folder) =>
    Effect.gen(function* () {
      const path = join(folder, "a.yaml")
      writeFileSync(path, "sorce: { type: crawl }\n")
      const kept = { name: "a", path, text: good("0 1 * * *"), rule: "0 1 * * * UTC", decided_to: 0 }

      expect(yield* looking(folder, [kept])).toMatchObject({ tasks: { a: "0 1 * * *" }, news: ["Broken a"] })
    })
  )
)

it.effect("schedules one of two files that have one name, and says which", () =>
  inFolder((folder) =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "a.yaml"), good("0 1 * * *", "same"))
      writeFileSync(join(folder, "b.yaml"), good("0 2 * * *", "same"))
      const look = looking(folder)

      const first = yield* look
      expect(first.tasks).toEqual({ same: "0 1 * * *" })
      expect(first.messages.at(-1)).toBe(
        `${folder}/b.yaml: ${folder}/a.yaml already has a pipeline named same: rename one of them`
      )
      expect((yield* look).news).toEqual([])
    })
  )
)

it.effect("has no problem any more with a broken file that is removed, or that is another program's", () =>
  inFolder((folder) =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "a.yaml"), good("x"))
      writeFileSync(join(folder, "b.yaml"), good("x"))
      const look = looking(folder)
      expect(yield* look).toMatchObject({ problems: ["a.yaml", "b.yaml"] })

      rmSync(join(folder, "a.yaml"))
      writeFileSync(join(folder, "b.yaml"), "services: { web: {} }\n")
      yield* look
      expect(yield* look).toMatchObject({ tasks: {}, problems: [] })
    })
  )
)

it.effect("schedules the second file of a name once the first is gone, and says so", () =>
  inFolder((folder) =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "a.yaml"), good("0 1 * * *", "same"))
      writeFileSync(join(folder, "b.yaml"), good("0 2 * * *", "same"))
      const look = looking(folder)
      expect(yield* look).toMatchObject({
        tasks: { same: "0 1 * * *" },
        news: ["Added same", "Broken b.yaml"],
        problems: ["b.yaml"]
      })
      expect(yield* look).toMatchObject({ news: [], problems: ["b.yaml"] })

      rmSync(join(folder, "a.yaml"))
      yield* look
      expect(yield* look).toMatchObject({
        tasks: { same: "0 2 * * *" },
        news: ["Removed same", "Added same"],
        problems: []
      })
    })
  )
)
