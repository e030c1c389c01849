import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import * as Segment from "#base/Segment"

const folder = mkdtempSync(join(tmpdir(), "millrace-segment-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const fresh = () => join(folder, `${files++}.zst`)

const block = (text: string) => Buffer.from(text)
const textsOf = async (segment: Segment.Segment) => {
  const texts: Array<string> = []
  for (const place of segment.places) texts.push((await segment.read(place))?.bytes.toString() ?? "none")
  return texts
}

describe.each([
  ["in a file", () => Segment.open(fresh())],
  ["in memory", async () => Segment.memory()]
] as const)("a segment %s", (_, open) => {
  it("gives blocks back in their order, by their places and one behind the other", async () => {
    const segment = await open()
    await segment.append([block("one"), block("")])
    await segment.append([block("three")])
    const behind = await segment.read((await segment.read(segment.places[0] ?? 0))?.next ?? 0)

    expect(await textsOf(segment)).toEqual(["one", "", "three"])
    expect(behind?.bytes.toString()).toBe("")
    expect(await segment.read(1e9)).toBeUndefined()
    await segment.close()
  })

  it("gives blocks back of every length, small ones and large ones in one write", async () => {
    const segment = await open()
    const texts = [0, 1, 16_383, 16_384, 16_385, 300_000].map((length) =>
      "a row, and another; ".repeat(length).slice(0, length)
    )
    await segment.append(texts.map(block))

    expect(await textsOf(segment)).toEqual(texts)
    await segment.close()
  })

  it("keeps the first blocks and goes on behind them", async () => {
    const segment = await open()
    await segment.append([block("one"), block("two"), block("three")])
    await segment.keep(1)
    await segment.append([block("four")])

    expect(await textsOf(segment)).toEqual(["one", "four"])
    await segment.close()
  })
})

describe("a segment in a file", () => {
  const written = async (...texts: ReadonlyArray<string>) => {
    const path = fresh()
    const segment = await Segment.open(path)
    for (const text of texts) await segment.append([block(text)])
    await segment.close()
    return path
  }

  it("is opened again with all it had", async () => {
    const path = await written("one", "two")
    const segment = await Segment.open(path)

    expect(await textsOf(segment)).toEqual(["one", "two"])
    await segment.close()
  })

  it.each(["a cut", "a byte of another"])("loses the last block to %s, and none before", async (how) => {
    const path = await written("one", "two")
    const { size } = statSync(path)
    if (how === "a cut") truncateSync(path, size - 1)
    else {
      const bytes = readFileSync(path)
      bytes[size - 1] = (bytes[size - 1] ?? 0) ^ 1
      writeFileSync(path, bytes)
    }
    const segment = await Segment.open(path)
    await segment.append([block("three")])

    expect(await textsOf(segment)).toEqual(["one", "three"])
    await segment.close()
  })

  it("takes what is no block at its end for the half of one", async () => {
    const path = await written("one")
    appendFileSync(path, "half")
    const segment = await Segment.open(path)

    expect(await textsOf(segment)).toEqual(["one"])
    await segment.close()
  })

  it("says so where a block before others is damaged", async () => {
    const path = await written("one", "two")
    const bytes = readFileSync(path)
    bytes[2] = 0
    writeFileSync(path, bytes)

    await expect(Segment.open(path)).rejects.toThrow(/is damaged/)
  })
})
