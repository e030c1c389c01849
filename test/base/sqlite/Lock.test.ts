import { type ChildProcess, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Lock from "#base/Lock"
import { folder } from "#testing/folder"

const law = (sentence: string, test: (path: string) => Promise<void>) =>
  it.effect(sentence, () =>
    Effect.scoped(Effect.flatMap(folder, (directory) => Effect.promise(() => test(join(directory, "lock")))))
  )

/** Another process that tries to take a lock: what it says, and its end. */
const another = async (path: string) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "lockForever.ts"), path], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const said = await new Promise<string>((done) => child.stdout.once("data", (chunk) => done(String(chunk))))
  return { child, said }
}

const kill = (child: ChildProcess) =>
  new Promise((done) => {
    child.once("exit", (_, signal) => done(signal))
    child.kill("SIGKILL")
  })

const release = (taken: ReturnType<typeof Lock.take>) => {
  if (!("release" in taken)) throw new Error(`it is taken by ${taken.owner}`)
  taken.release()
}

law("a second taker in this process is told who has it, until it is released", async (path) => {
  const first = Lock.take(path)

  expect(Lock.take(path)).toEqual({ owner: String(process.pid) })
  release(first)
  release(Lock.take(path))
})

law("a taker in another process is told who has it", async (path) => {
  const first = Lock.take(path)
  const { child, said } = await another(path)
  await kill(child)
  release(first)

  expect(said).toBe(`refused: ${process.pid}`)
})

law("the lock of another process is known by its id, and falls when that is killed", async (path) => {
  const { child, said } = await another(path)

  const refused = Lock.take(path)
  const signal = await kill(child)
  const taken = Lock.take(path)

  expect(said).toBe("taken")
  expect(refused).toEqual({ owner: String(child.pid) })
  expect(signal).toBe("SIGKILL")
  expect(taken).toHaveProperty("release")
  expect(Lock.take(path)).toEqual({ owner: String(process.pid) })
  release(taken)
})

law("a killed owner leaves no name behind that the next one is told", async (path) => {
  const { child } = await another(path)
  await kill(child)
  const next = await another(path)

  const refused = Lock.take(path)
  await kill(next.child)

  expect(next.said).toBe("taken")
  expect(refused).toEqual({ owner: String(next.child.pid) })
})

law("a file that is no lock is an error, and not a lock that somebody has", async (path) => {
  writeFileSync(path, "this is no database, and it is long enough to be taken for the head of one: ".repeat(20))

  expect(() => Lock.take(path)).toThrow("file is not a database")
})
