/** A schedule whose database was damaged: it runs on, and says what is lost. */
import { readFileSync, writeFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { simulate, task } from "./simulated.ts"

const docs = task("docs", "0 2 * * *", {}, [
  { type: "slack", on: ["failed"], url: Redacted.make("https://example.com/hook") }
])

/** Changes one byte of a text in a file. */
const change = (file: string, text: RegExp, to: string) => {
  const bytes = readFileSync(file, "latin1")
  const found = text.exec(bytes)
  if (found === null) throw new Error("the text is not in the file")
  const at = found.index + found[0].length - 1
  writeFileSync(file, `${bytes.slice(0, at)}${to}${bytes.slice(at + 1)}`, "latin1")
}

it.effect("a run under way whose row is damaged ends as failed, is noticed, and the next time runs", () =>
  Effect.gen(function* () {
    const { close, file, live, news, plan, ran, sent } = yield* simulate("2026-06-01 01:00")
    plan.set("docs", {
      minutes: 60,
      outcome: () => ({ status: "done", run_id: null, rows: {}, changed: null, message: null })
    })
    yield* live("2026-06-01 02:30", [docs])
    change(file, /docs[\s\S]{1,20}running/, "h")
    yield* live("2026-06-02 03:30", [docs])
    const said = news.flatMap((one) => (one._tag === "Lost" ? [one.message] : []))
    expect(said).toEqual([`runs task docs, due ${Date.UTC(2026, 5, 1, 2)}: a value of it was changed`])
    expect(news.flatMap((one) => (one._tag === "Ended" ? [[one.state, one.outcome.message]] : []))).toEqual([
      ["failed", "the schedule's database was damaged, and lost the run due 2026-06-01T02:00:00.000Z"],
      ["done", null]
    ])
    expect(sent).toEqual(["slack failed docs 06-01 02:30"])
    expect(ran).toEqual(["docs 06-01 02:00 (killed)", "docs 06-02 02:00"])
    news.length = 0
    yield* live("2026-06-02 04:30", [docs])
    expect(news.filter(({ _tag }) => _tag === "Lost")).toEqual([])
    yield* close
  })
)

it.effect("a run that was over, and a task, whose rows are damaged, cost their history alone", () =>
  Effect.gen(function* () {
    const { close, file, live, news, ran, sent } = yield* simulate("2026-06-01 01:00")
    yield* live("2026-06-01 02:30", [docs])
    change(file, /docs[\s\S]{1,20}done/, "f")
    change(file, /docs\/pipelines\/docs.ya/, "x")
    yield* live("2026-06-02 02:30", [docs])
    expect(news.filter(({ _tag }) => _tag === "Lost").length).toBe(2)
    expect(sent).toEqual(["slack failed docs 06-01 02:30"])
    expect(ran).toEqual(["docs 06-01 02:00", "docs 06-02 02:00"])
    yield* close
  })
)
