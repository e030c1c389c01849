import { Writable } from "node:stream"
import { afterEach, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { progressView, unpaid } from "#app/runs/progressView"
import type * as Run from "#engine/Run"

const progress: Run.Progress = {
  runId: "r1",
  phase: "reading",
  startedAt: 0,
  rows: { pages: 1200, crawl_errors: 0 },
  facts: { completed: 1200, total: 4000, credits: 1200 }
}

/** What is written of a run that shows itself now and after six seconds, or at other times. */
const written = (of: {
  readonly json: boolean
  readonly isTerminal: boolean
  readonly after?: ReadonlyArray<number>
  readonly isPaid?: boolean
}) =>
  Effect.gen(function* () {
    const chunks: Array<string> = []
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        chunks.push(String(chunk))
        done()
      }
    })
    // Only what the view asks of a terminal.
    const terminal = Object.assign(stream, { isTTY: of.isTerminal, columns: 80 }) as unknown as NodeJS.WriteStream
    const paid = yield* progressView("docs", of.json, terminal)
    const view = of.isPaid === false ? unpaid(paid, of.json) : paid
    yield* view.show(progress)
    for (const seconds of of.after ?? [6]) {
      yield* TestClock.adjust(`${seconds} seconds`)
      yield* view.show(progress)
    }
    yield* view.clear
    return chunks.join("")
  })

const noColor = process.env["NO_COLOR"]
const term = process.env["TERM"]
afterEach(() => {
  for (const [name, value] of [
    ["NO_COLOR", noColor],
    ["TERM", term]
  ] as const) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

it.effect("of a run that nobody pays it names no credits to people", () =>
  Effect.gen(function* () {
    expect(yield* written({ json: false, isTerminal: false, isPaid: false })).toBe(
      "docs: reading, 1,200 of 4,000 pages, pages 1,200, 6.0 s\n"
    )
    expect(yield* written({ json: false, isTerminal: true, isPaid: false })).not.toContain("credits")
    expect(yield* written({ json: true, isTerminal: false, isPaid: false })).toContain('"credits":1200')
  })
)

it.effect("without a terminal it is plain lines, one every five seconds", () =>
  Effect.gen(function* () {
    expect(yield* written({ json: false, isTerminal: false })).toBe(
      "docs: reading, 1,200 of 4,000 pages, pages 1,200, 1,200 credits, 6.0 s\n"
    )
  })
)

it.effect("with --json it is JSON, on a terminal too", () =>
  Effect.gen(function* () {
    for (const [isTerminal, elapsed] of [
      [true, 6000],
      [false, 12_000]
    ] as const) {
      const text = yield* written({ json: true, isTerminal })
      expect(JSON.parse(text)).toMatchObject({ pipeline: "docs", run_id: "r1", phase: "reading", elapsed_ms: elapsed })
    }
  })
)

it.effect("with --json it is a line a second, and nothing in between", () =>
  Effect.gen(function* () {
    const text = yield* written({ json: true, isTerminal: false, after: [0.5, 0.5, 0.5, 0.6, 3] })
    const times = text
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly elapsed_ms: number }).elapsed_ms)

    expect(times).toEqual([1000, 2100, 5100])
  })
)

it.effect("a terminal is drawn on, unless NO_COLOR or TERM=dumb ask for plain lines", () =>
  Effect.gen(function* () {
    delete process.env["NO_COLOR"]
    process.env["TERM"] = "xterm"
    const drawn = yield* written({ json: false, isTerminal: true })
    process.env["TERM"] = "dumb"
    const dumb = yield* written({ json: false, isTerminal: true })
    process.env["TERM"] = "xterm"
    process.env["NO_COLOR"] = "1"
    const plain = yield* written({ json: false, isTerminal: true })

    expect(drawn).toContain("\u001b[")
    for (const text of [dumb, plain]) expect(text).toMatch(/^docs: reading, .*\n$/)
  })
)
