import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { file } from "../../../connectors/file/index.ts"
import * as ObjectStore from "../../../src/pipeline/ObjectStore.ts"
import * as faults from "../../../src/testing/faults.ts"
import { folder } from "../../../src/testing/folder.ts"
import { pages } from "../../../src/testing/specimens.ts"
import { manifestOf, readLake, stores } from "./lake.ts"
import * as threeFiles from "./threeFiles.ts"

const load = (directory: string, run: string) => threeFiles.load(directory, run, directory)

const seen = (directory: string) => Effect.map(readLake(directory, pages), (all) => all.map((row) => row["url"]))

for (const kind of ["before", "after", "interrupt"] as const) {
  it.effect(`a commit whose nth call to the store fails (${kind}) is whole or absent, for every n`, () =>
    Effect.gen(function* () {
      const whole: Array<number> = []
      for (let at = 1; ; at++) {
        const directory = yield* folder
        yield* Effect.provide(load(directory, "one"), stores)
        const fault = faults.failing(yield* file.open(directory), at, kind)

        const exit = yield* load(directory, "two").pipe(
          Effect.provideService(ObjectStore.ObjectStores, { open: () => Effect.succeed(fault.store) }),
          Effect.exit
        )

        const resume = (yield* manifestOf(directory)).pipe(Option.map(({ checkpoints }) => checkpoints["p"]?.state))
        const committed = Option.getOrThrow(resume) === "two"
        expect(yield* seen(directory)).toEqual(committed ? threeFiles.urls("one", "two") : threeFiles.urls("one"))
        // A commit may only say that it succeeded where it did.
        if (Exit.isSuccess(exit)) expect(committed).toBe(true)
        if (committed) whole.push(at)
        yield* Effect.provide(load(directory, "three"), stores)
        expect(yield* seen(directory)).toEqual(
          committed ? threeFiles.urls("one", "two", "three") : threeFiles.urls("one", "three")
        )
        if (fault.calls() < at) break
      }

      // Calls 1 to 3 put files and call 4 puts the manifest: past it there is nothing left to fail.
      expect(whole).toEqual(kind === "before" ? [5] : [4, 5])
    })
  )
}

it.effect("a commit whose answer was lost is read again and counts as done", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const fault = faults.failing(yield* file.open(directory), 4, "after")

    const receipt = yield* load(directory, "one").pipe(
      Effect.provideService(ObjectStore.ObjectStores, { open: () => Effect.succeed(fault.store) })
    )

    expect(receipt.rows).toEqual({ pages: 3 })
    expect(yield* seen(directory)).toEqual(threeFiles.urls("one"))
  })
)
