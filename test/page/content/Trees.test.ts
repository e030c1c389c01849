import { expect, test } from "vitest"
import { names } from "#page/content/blockFeatures"
import { blockTrees, pageTrees } from "#page/content/contentTrees"
import { pageFeatures } from "#page/content/pageFeatures"
import { Trees } from "#page/content/Trees"
import { pageKinds } from "#page/PageKind"

/** One tree of two nodes: feature 1 up to 5 is the leaf 0.25; else feature 0 up to 2 is -1, else 3. */
const table = (): string => {
  const bytes = Buffer.alloc(16 + 4 + 4 + 12 + 8 + 4 + 4 + 4)
  const numbers = [1, 1, 2, 3, 0, 0]
  numbers.forEach((number, i) => bytes.writeUInt32LE(number, i * 4))
  ;[0.25, -1, 3].forEach((value, i) => bytes.writeFloatLE(value, 24 + i * 4))
  ;[5, 2].forEach((value, i) => bytes.writeFloatLE(value, 36 + i * 4))
  ;[1, 0].forEach((value, i) => bytes.writeUInt16LE(value, 44 + i * 2))
  ;[-1, -2].forEach((value, i) => bytes.writeInt16LE(value, 48 + i * 2))
  ;[1, -3].forEach((value, i) => bytes.writeInt16LE(value, 52 + i * 2))
  return bytes.toString("base64")
}

test("a row goes left up to the threshold, and else right", () => {
  const trees = new Trees(table())
  const said = (...row: ReadonlyArray<number>) => trees.score(Float64Array.from(row))[0]
  expect(said(0, 5)).toBe(0.25)
  expect(said(2, 6)).toBe(-1)
  expect(said(2.5, 6)).toBe(3)
})

test("features that rows share are asked once, and those of a row where it stands among others", () => {
  const trees = new Trees(table())
  const shared = trees.all()
  trees.narrow(shared, Float64Array.of(6), 0, 1, trees.width)
  const said = [0, 1, 2].map((at) => {
    const leaves = shared.slice()
    trees.narrow(leaves, Float64Array.of(2, 2.5, 0), at, 0, 1)
    return trees.sum(leaves)
  })
  expect(said).toEqual([-1, 3, -1])
})

test("the learned tables ask only for features that there are, and take less than 300 kB", () => {
  expect(pageTrees.length + blockTrees.length).toBeLessThan(300_000)
  const pages = new Trees(pageTrees)
  expect(pages.groups).toBe(pageKinds.length)
  expect(pages.width).toBeLessThanOrEqual(pageFeatures.length)
  expect(new Trees(blockTrees).width).toBeLessThanOrEqual(names.length + pageFeatures.length + pageKinds.length)
})
