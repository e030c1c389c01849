import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import * as Segment from "#base/Segment"
import * as Known from "#engine/journal/Known"
import * as RunFolder from "#engine/journal/RunFolder"

const home = mkdtempSync(join(tmpdir(), "millrace-known-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** The folder of a run that knows this, or nothing. */
const runThatKnows = async (runId: string, text: string | undefined) => {
  const folder = join(home, "runs", runId)
  mkdirSync(folder, { recursive: true })
  const segment = await Segment.open(RunFolder.knownOf(folder))
  if (text !== undefined) await segment.append([Buffer.from(text)])
  await segment.close()
  return folder
}

const found = async (runId: string, print: string) => {
  const segment = await Known.open(home, runId, print)
  const block = await segment?.read(segment.places[0] ?? 0)
  await segment?.close()
  return block?.bytes.toString()
}

describe("what is known of the last run", () => {
  it("is of that run and of the way in which it made rows, and takes the place of what was known before", async () => {
    await Known.keep(await runThatKnows("1", "one"), "1", "a")
    expect(await found("1", "a")).toBe("one")
    expect([await found("1", "b"), await found("2", "a")]).toEqual([undefined, undefined])

    await Known.keep(await runThatKnows("2", "two"), "2", "a")
    expect([await found("1", "a"), await found("2", "a")]).toEqual([undefined, "two"])
    expect(readdirSync(join(home, "runs", "2"))).toEqual([])

    await Known.keep(await runThatKnows("3", undefined), "3", "a")
    expect(readdirSync(join(home, "known"))).toEqual([])
  })
})
