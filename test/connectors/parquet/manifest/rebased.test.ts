import { expect, it } from "@effect/vitest"
import type * as Manifest from "#connectors/parquet/manifest/Manifest"
import { rebased } from "#connectors/parquet/manifest/rebased"

const fileOf = (name: string): Manifest.DataFile => ({
  path: `pages/${name}.parquet`,
  rows: 2,
  bytes: 10,
  sha256: name,
  partition: {},
  min: {},
  max: {}
})

const tableOf = (names: string, schema_hash = "one"): Manifest.TableState => {
  const files = names === "" ? [] : names.split(" ").map(fileOf)
  return { columns: [], schema_hash, key: [], partition: [], rows: 2 * files.length, bytes: 10 * files.length, files }
}

const namesOf = (state: Manifest.TableState | undefined) => state?.files.map(({ sha256 }) => sha256).join(" ")

it("a commit adds its files to those that others have added", () => {
  const standing = rebased(tableOf("a mine"), tableOf("a"), tableOf("a theirs"))

  expect(namesOf(standing)).toBe("a theirs mine")
  expect([standing?.rows, standing?.bytes]).toEqual([6, 30])
})

it("a commit takes away the files that it has written anew, where they are all there", () => {
  expect(namesOf(rebased(tableOf("b mine"), tableOf("a b"), tableOf("a b theirs")))).toBe("b theirs mine")
  expect(rebased(tableOf("b mine"), tableOf("a b"), tableOf("b theirs"))).toBeUndefined()
})

it("a commit that was to make a table stands on one that others have made, if its columns are the same", () => {
  expect(namesOf(rebased(tableOf("mine"), undefined, undefined))).toBe("mine")
  expect(namesOf(rebased(tableOf("mine"), undefined, tableOf("theirs")))).toBe("theirs mine")
  expect(rebased(tableOf("mine"), undefined, tableOf("theirs", "two"))).toBeUndefined()
})

it("a commit that changes the columns does not stand where a file was added, which it would have written anew", () => {
  expect(rebased(tableOf("b mine", "two"), tableOf("a"), tableOf("a theirs"))).toBeUndefined()
  expect(rebased(tableOf("a mine", "two"), tableOf("a"), tableOf("a theirs"))).toBeUndefined()
})

it("a commit does not stand on a table that has other columns or another partition, or is gone", () => {
  const now = tableOf("a")

  expect(rebased(tableOf("a mine", "two"), now, tableOf("a"))?.schema_hash).toBe("two")
  expect(rebased(tableOf("a mine"), now, tableOf("a", "two"))).toBeUndefined()
  expect(rebased(tableOf("a mine"), now, { ...now, partition: ["day"] })).toBeUndefined()
  expect(rebased(tableOf("a mine"), now, undefined)).toBeUndefined()
})
