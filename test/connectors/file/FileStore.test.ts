import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fileStore } from "#connectors/file/index"
import { folder } from "#testing/folder"
import * as ObjectStoreSuite from "#testing/ObjectStoreSuite"

ObjectStoreSuite.suite("file", { open: fileStore.open })
ObjectStoreSuite.suite("file URL", { open: (path) => fileStore.open(pathToFileURL(path).href) })

it.effect("refuses paths that lead out of the folder, or to what is not whole yet", () =>
  Effect.gen(function* () {
    const store = yield* fileStore.open(yield* folder)

    for (const path of ["../out", "a/../../out", "/etc/passwd", "a//b", "", ".partial/x"]) {
      const error = yield* Effect.flip(store.put(path, new Uint8Array([1])))
      expect(error.message).toContain("not an object path")
    }
  })
)

it.effect("leaves nothing but the objects behind", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const store = yield* fileStore.open(directory)
    yield* store.put("a", new Uint8Array([1]))
    yield* store.putIfAbsent("a", new Uint8Array([2]))
    yield* store.putIfAbsent("b", new Uint8Array([2]))

    const names = yield* Effect.promise(() => Fs.readdir(directory, { recursive: true }))
    expect(names.sort()).toEqual([".partial", "a", "b"])
  })
)

it.effect("removes what a killed process left half-written an hour ago, and nothing younger", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const partials = join(directory, ".partial")
    yield* Effect.promise(async () => {
      await Fs.mkdir(partials)
      for (const name of ["old", "young"]) await Fs.writeFile(join(partials, name), "half")
      await Fs.utimes(join(partials, "old"), 1, 1)
    })
    const store = yield* fileStore.open(directory)
    yield* store.put("a", new Uint8Array([1]))

    expect(yield* Effect.promise(() => Fs.readdir(partials))).toEqual(["young"])
  })
)

it.effect("removes nothing behind a link that stands where half-written objects do", () =>
  Effect.gen(function* () {
    const elsewhere = yield* folder
    const directory = yield* folder
    yield* Effect.promise(async () => {
      await Fs.writeFile(join(elsewhere, "letter"), "mine")
      await Fs.utimes(join(elsewhere, "letter"), 1, 1)
      await Fs.symlink(elsewhere, join(directory, ".partial"))
    })
    const store = yield* fileStore.open(directory)
    yield* store.put("a", new Uint8Array([1]))

    expect(yield* Effect.promise(() => Fs.readdir(elsewhere))).toEqual(["letter"])
  })
)

it.effect("is refused where a file is, there or above it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const taken = join(directory, "taken")
    yield* Effect.promise(() => Fs.writeFile(taken, "a file"))

    for (const path of [taken, join(taken, "below", "it")]) {
      const error = yield* Effect.flip(fileStore.open(path))
      expect(error.message).toBe(`${taken} is a file, and would have to be a folder; name another path`)
    }
    expect(yield* Effect.flatMap(fileStore.open(join(directory, "not", "there")), (store) => store.list(""))).toEqual(
      []
    )
  })
)

it.effect("is opened where nobody can look, and says why when it is asked", () =>
  Effect.gen(function* () {
    const store = yield* fileStore.open(join(yield* folder, "n".repeat(300)))

    expect((yield* Effect.flip(store.put("a", new Uint8Array([1])))).message).toContain("ENAMETOOLONG")
  })
)

it.effect("says what it could not do, and to what", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const store = yield* fileStore.open(directory)
    yield* store.put("a", new Uint8Array([1]))

    const error = yield* Effect.flip(store.put("a/b", new Uint8Array([1])))

    expect(error.message).toMatch(/^cannot put a\/b: /)
    expect(error.retryable).toBe(false)
  })
)

it.effect("copies a local file from another file system", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const store = yield* fileStore.open(join(directory, "store"))
    const local = `/dev/shm/millrace-${process.pid}`
    const elsewhere = yield* Effect.promise(() =>
      Fs.writeFile(local, "over there").then(
        () => true,
        () => false
      )
    )
    if (!elsewhere) return

    yield* store.putFile("a", local)

    expect(yield* Effect.promise(() => Fs.readFile(join(directory, "store/a"), "utf8"))).toBe("over there")
    expect(yield* Effect.promise(() => Fs.readdir("/dev/shm"))).not.toContain(`millrace-${process.pid}`)
  })
)
