/**
 * The laws of an object store, as tests. A connector's test file is one call:
 *
 *     ObjectStoreSuite.suite("file", { open: (folder) => fileStore.open(folder) })
 */
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import { folder } from "./folder.ts"

/** The store under test. */
export interface Subject {
  /** Opens an empty store; the folder is fresh, for stores that live in one and for ones that only need a name. */
  readonly open: (folder: string) => Effect.Effect<ObjectStore.ObjectStore, ObjectStore.ObjectStoreError>
}

/**
 * Declares the tests of an object store, one for each guarantee of `ObjectStore`.
 *
 * @example
 * ```ts
 * import { fileStore } from "millrace/connectors/file"
 * import { ObjectStoreSuite } from "millrace/testing"
 *
 * ObjectStoreSuite.suite("a folder", { open: (folder) => fileStore.open(folder) })
 * ```
 */
export const suite = (name: string, subject: Subject): void => {
  describe(`${name} keeps the laws of an object store`, () => {
    for (const { run, sentence } of laws) {
      it.effect(sentence, () =>
        Effect.gen(function* () {
          const directory = yield* folder
          yield* run(yield* subject.open(join(directory, "store")), directory)
        })
      )
    }
  })
}

/** A guarantee, and the test that shows it on an empty store. */
interface Law {
  readonly sentence: string
  readonly run: (store: ObjectStore.ObjectStore, folder: string) => Effect.Effect<void, unknown>
}

const law = (sentence: string, run: Law["run"]): Law => ({ sentence, run })

const text = (store: ObjectStore.ObjectStore, path: string) =>
  Effect.map(store.get(path), (bytes) => Option.getOrUndefined(Option.map(bytes, (each) => decoder.decode(each))))
const paths = (store: ObjectStore.ObjectStore, prefix: string) =>
  Effect.map(store.list(prefix), (objects) => objects.map((object) => object.path))

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const laws: ReadonlyArray<Law> = [
  law("what was put is got, and what was not put is none", (store) =>
    Effect.gen(function* () {
      yield* store.put("a/b.txt", encoder.encode("one"))
      yield* store.put("empty", new Uint8Array())

      expect(yield* text(store, "a/b.txt")).toBe("one")
      expect(yield* text(store, "empty")).toBe("")
      expect(yield* store.get("a")).toEqual(Option.none())
      expect(yield* store.get("a/c.txt")).toEqual(Option.none())
    })
  ),

  law("getEnd gives the last bytes, all of a short object, and none of what was not put", (store) =>
    Effect.gen(function* () {
      const end = (path: string, bytes: number) =>
        Effect.map(
          store.getEnd(path, bytes),
          Option.map((found) => decoder.decode(found))
        )
      yield* store.put("a/b.txt", encoder.encode("one and two"))
      yield* store.put("empty", new Uint8Array())

      expect(yield* end("a/b.txt", 3)).toEqual(Option.some("two"))
      expect(yield* end("a/b.txt", 11)).toEqual(Option.some("one and two"))
      expect(yield* end("a/b.txt", 4096)).toEqual(Option.some("one and two"))
      expect(yield* end("empty", 8)).toEqual(Option.some(""))
      expect(yield* end("a", 8)).toEqual(Option.none())
      expect(yield* end("a/c.txt", 8)).toEqual(Option.none())
    })
  ),

  law("put replaces", (store) =>
    Effect.gen(function* () {
      yield* store.put("a", encoder.encode("a longer first version"))
      yield* store.put("a", encoder.encode("second"))

      expect(yield* text(store, "a")).toBe("second")
    })
  ),

  law("putFile moves a local file in, whole, and replaces", (store, directory) =>
    Effect.gen(function* () {
      const local = join(directory, "local.bin")
      const bytes = new Uint8Array(3_000_000).map((_, at) => at % 251)
      yield* store.put("big", encoder.encode("before"))
      yield* Effect.promise(() => Fs.writeFile(local, bytes))

      yield* store.putFile("big", local)

      const stored = Option.getOrThrow(yield* store.get("big"))
      expect(Buffer.compare(stored, bytes)).toBe(0)
      const left = yield* Effect.promise(() => Fs.readdir(directory))
      expect(left).not.toContain("local.bin")
    })
  ),

  law(
    "getFile makes a local file of an object, whole, and replaces; of what was not put it makes none",
    (store, directory) =>
      Effect.gen(function* () {
        const local = join(directory, "got.bin")
        const bytes = new Uint8Array(3_000_000).map((_, at) => at % 251)
        yield* store.put("big", bytes)
        yield* Effect.promise(() => Fs.writeFile(local, "before"))

        expect(yield* store.getFile("big", local)).toBe(true)
        expect(Buffer.compare(yield* Effect.promise(() => Fs.readFile(local)), bytes)).toBe(0)

        expect(yield* store.getFile("bi", join(directory, "none"))).toBe(false)
        expect(yield* store.getFile("big/part", join(directory, "none"))).toBe(false)
        expect(yield* Effect.promise(() => Fs.readdir(directory))).not.toContain("none")
      })
  ),

  law("a file that was got stays as it is when the object is replaced or removed", (store, directory) =>
    Effect.gen(function* () {
      const local = join(directory, "got.txt")
      yield* store.put("a", encoder.encode("first"))
      yield* store.getFile("a", local)

      yield* store.put("a", encoder.encode("second"))
      yield* store.remove("a")
      expect(yield* Effect.promise(() => Fs.readFile(local, "utf8"))).toBe("first")

      yield* store.put("b", encoder.encode("third"))
      yield* store.getFile("b", local)
      yield* Effect.promise(() => Fs.rm(local))
      expect(yield* text(store, "b")).toBe("third")
    })
  ),

  law("of many putIfAbsent on one path exactly one succeeds, and its bytes stay", (store) =>
    Effect.gen(function* () {
      const attempts = yield* Effect.forEach(
        Array.from({ length: 16 }, (_, at) => at),
        (at) => store.putIfAbsent("_manifest/1.json", encoder.encode(`writer ${at}`)),
        { concurrency: "unbounded" }
      )

      expect(attempts.filter((won) => won)).toHaveLength(1)
      expect(yield* text(store, "_manifest/1.json")).toBe(`writer ${attempts.indexOf(true)}`)
      expect(yield* store.putIfAbsent("_manifest/1.json", encoder.encode("late"))).toBe(false)
      expect(yield* store.putIfAbsent("_manifest/2.json", encoder.encode("next"))).toBe(true)
    })
  ),

  law("list is in order of path, by prefix and not by folder, with sizes and times", (store) =>
    Effect.gen(function* () {
      const before = yield* Effect.sync(() => Date.now())
      for (const path of ["pages/b", "pages/a/z", "pages-old/x", "pages/a b", "other", "pages/é=1%2F"]) {
        yield* store.put(path, encoder.encode(path))
      }

      expect(yield* paths(store, "")).toEqual([
        "other",
        "pages-old/x",
        "pages/a b",
        "pages/a/z",
        "pages/b",
        "pages/é=1%2F"
      ])
      expect(yield* paths(store, "pages")).toHaveLength(5)
      expect(yield* paths(store, "pages/a")).toEqual(["pages/a b", "pages/a/z"])
      expect(yield* paths(store, "nothing/here/")).toEqual([])
      const [other] = yield* store.list("other")
      expect(other?.bytes).toBe(5)
      expect(Math.abs((other?.modifiedAt ?? 0) - before)).toBeLessThan(24 * 3_600_000)
    })
  ),

  law("list names only whole objects while others are being put", (store) =>
    Effect.gen(function* () {
      const bytes = new Uint8Array(200_000).fill(7)
      const sizes = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, at) => at),
        (at) =>
          at % 2 === 0
            ? Effect.as(store.put(`objects/${at}`, bytes), [])
            : Effect.map(store.list(""), (objects) => objects.map((object) => object.bytes)),
        { concurrency: 8 }
      )

      expect(sizes.flat().every((size) => size === bytes.length)).toBe(true)
      expect(yield* paths(store, "objects/")).toHaveLength(20)
    })
  ),

  law("removing what is not there succeeds, and what is removed is gone", (store) =>
    Effect.gen(function* () {
      yield* store.put("a", encoder.encode("a"))

      yield* store.remove("a")
      yield* store.remove("a")
      yield* store.remove("never/there")

      expect(yield* store.get("a")).toEqual(Option.none())
      expect(yield* paths(store, "")).toEqual([])
      expect(yield* store.putIfAbsent("a", encoder.encode("again"))).toBe(true)
    })
  )
]
