/** `millrace serve` in a process of its own, killed with the scope or before; and how it is asked. */
import type { ChildProcess } from "node:child_process"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import { command, startBy } from "../app/millrace.ts"

/**
 * `flags`: beside those that every test needs. `hosts`: names that are served at this port, without their ending `.test`.
 * `inside`: what starts it.
 */
export const servedProcess = Effect.fnUntraced(function* (
  port: number,
  database: string,
  hosts: ReadonlyArray<string> = ["site"],
  flags: ReadonlyArray<string> = [],
  inside: ReadonlyArray<string> = []
) {
  const { process, ended } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const resolve = hosts.map((host) => `--resolve=${host}.test=127.0.0.1:${port}`)
      return startBy(
        [...inside, command],
        tmpdir(),
        "serve",
        "--port=0",
        `--database=${database}`,
        "--webhook-secret=whsec-1",
        ...resolve,
        ...flags
      )
    }),
    ({ process }) => Effect.sync(() => void process.kill("SIGKILL"))
  )
  const url = yield* Effect.promise(() => announced(process))
  const kill = Effect.promise(() => {
    process.kill("SIGKILL")
    return ended
  })
  return { url, pid: process.pid ?? 0, kill, ended: Effect.promise(() => ended) }
})

/** The address that a service says at its start. */
export const announced = (process: ChildProcess): Promise<string> =>
  new Promise((done, fail) => {
    let said = ""
    process.stderr?.on("data", (chunk) => (said += String(chunk)))
    process.stdout?.once("data", (chunk) => done(/http:\S+/.exec(String(chunk))?.[0] ?? ""))
    process.once("exit", (code) => fail(new Error(`the service ended with ${code}: ${said}`)))
  })

/** The answers of the service, looked at field by field. */
export const ask = (url: string, body?: object, headers: Readonly<Record<string, string>> = {}): Effect.Effect<any> =>
  Effect.promise(async () => {
    const type = { "content-type": "application/json", ...headers }
    const post = { method: "POST", headers: type, body: JSON.stringify(body) }
    return (await fetch(url, body === undefined ? { headers } : post)).json()
  })
