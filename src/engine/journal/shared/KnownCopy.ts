/** What sources know of the last committed run, in the store of a shared journal: the one file of `known/`. */

import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Durable from "#base/Durable"
import { attempt } from "../attempt.ts"
import type { SharedStore } from "./SharedStore.ts"

/** Copies the file of this machine, and removes those before it. */
export const push = Effect.fnUntraced(function* (store: SharedStore, folder: string) {
  const here = yield* names(folder)
  const there = (yield* store.list("known/")).map(({ path }) => path.slice("known/".length))
  for (const name of here.filter((name) => !there.includes(name))) {
    const bytes = yield* attempt(`cannot read ${name}`, () => Fs.readFile(Path.join(folder, "known", name)))
    yield* store.put(`known/${name}`, bytes)
  }
  yield* store.remove(there.filter((name) => !here.includes(name)).map((name) => `known/${name}`))
})

/** Fetches the file that another machine left. */
export const pull = Effect.fnUntraced(function* (store: SharedStore, folder: string) {
  const there = (yield* store.list("known/")).map(({ path }) => path.slice("known/".length))
  const here = yield* names(folder)
  for (const name of there.filter((name) => !here.includes(name))) {
    const bytes = yield* store.get(`known/${name}`)
    if (bytes === undefined) continue
    const path = Path.join(folder, "known", name)
    yield* attempt(`cannot write ${path}`, async () => {
      await Fs.mkdir(Path.dirname(path), { recursive: true })
      await Fs.writeFile(`${path}.next`, bytes, { flush: true })
      await Durable.rename(`${path}.next`, path)
    })
  }
})

const names = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() => Fs.readdir(Path.join(folder, "known")).catch(() => []))
