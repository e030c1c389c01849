import { spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "millrace-bin-"))
const launcher = join(folder, "bin/millrace.cjs")

/** A command line that says how it was started, and then does what its first argument asks. */
const main = `
const [todo, code] = process.argv.slice(2)
if (todo === "wait") {
  process.on("SIGTERM", () => process.exit(7))
  process.on("SIGINT", () => process.exit(8))
  setInterval(() => {}, 1000)
}
console.log(JSON.stringify({
  pid: process.pid,
  args: process.argv.slice(2),
  flags: process.execArgv.filter((flag) => /^--(?:min|max|initial|heap)/.test(flag)),
  arenas: process.env.MALLOC_ARENA_MAX,
  cache: process.env.NODE_COMPILE_CACHE
}))
if (todo === "exit") process.exitCode = Number(code)
if (todo === "die") process.kill(process.pid, "SIGKILL")
if (todo === "warn") for (const name of ["ExperimentalWarning", "Warning"]) process.emitWarning("a " + name, name)
`

/** As the launcher would find it elsewhere. */
const elsewhere = {
  mac: `Object.defineProperty(process, "platform", { value: "darwin" })`,
  oldNode: `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`,
  beforeExec: "process.execve = undefined"
}

/** The launcher under Node, where `places` hold. */
const start = (places: ReadonlyArray<keyof typeof elsewhere>, ...args: ReadonlyArray<string>) => {
  const preloads = places.flatMap((place) => ["--require", join(folder, `${place}.cjs`)])
  const { MALLOC_ARENA_MAX: _, NODE_COMPILE_CACHE: __, ...env } = process.env
  const child = spawn(process.execPath, [...preloads, launcher, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, PATH: join(folder, "tools"), XDG_CACHE_HOME: join(folder, "cache") }
  })
  let [stdout, stderr] = ["", ""]
  const began = new Promise<void>((done) => child.stdout.on("data", (chunk) => done(void (stdout += chunk))))
  child.stderr.on("data", (chunk) => (stderr += chunk))
  const ended = new Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>((done) =>
    child.on("close", (code, signal) => done({ code, signal, stdout, stderr }))
  )
  return { child, began, ended }
}

const run = (places: ReadonlyArray<keyof typeof elsewhere>, ...args: ReadonlyArray<string>) =>
  start(places, ...args).ended

describe.runIf(process.platform === "linux")("the command that npm links", () => {
  beforeAll(() => {
    cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true })
    mkdirSync(join(folder, "dist/cli"), { recursive: true })
    // What the launcher needs of a system, and no Node.
    mkdirSync(join(folder, "tools"))
    for (const tool of ["dirname", "readlink", "uname"]) symlinkSync(`/usr/bin/${tool}`, join(folder, "tools", tool))
    writeFileSync(join(folder, "dist/cli/main.js"), main)
    for (const [place, text] of Object.entries(elsewhere)) writeFileSync(join(folder, `${place}.cjs`), text)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("is taken over by the launcher: one process, with its flags and its environment", async () => {
    const { child, ended } = start([], "a", "b c")
    const { code, stderr, stdout } = await ended

    expect(JSON.parse(stdout)).toEqual({
      pid: child.pid,
      args: ["a", "b c"],
      flags: ["--max-semi-space-size=16", "--initial-old-space-size=64", "--heap-growing-percent=100"],
      arenas: "2",
      cache: join(folder, "cache/millrace")
    })
    expect([code, stderr]).toEqual([0, ""])
  })

  it("keeps the heap of what runs for days smaller than that of what ends by itself", async () => {
    for (const [command, growth] of [
      ["run", 100],
      ["serve", 40]
    ] as const) {
      const { stdout } = await run([], command)
      // The last of them counts.
      expect(JSON.parse(stdout).flags.at(-1)).toBe(`--heap-growing-percent=${growth}`)
    }
  })

  it("gives the exit code, the signal that ended it, and signals that it gets, also where it waits for a child", async () => {
    for (const places of [[], ["beforeExec"]] as const) {
      const ends = await Promise.all([run(places, "exit", "3"), run(places, "die")])
      expect(ends.map(({ code, signal }) => [code, signal])).toEqual([
        [3, null],
        [null, "SIGKILL"]
      ])
      for (const [signal, code] of [
        ["SIGTERM", 7],
        ["SIGINT", 8]
      ] as const) {
        const { began, child, ended } = start(places, "wait")
        await began
        child.kill(signal)
        expect((await ended).code).toBe(code)
      }
    }
  })

  it("runs in its own process on other systems, with the same cache and without notes on experiments", async () => {
    const { child, ended } = start(["mac"], "warn")
    const { code, stderr, stdout } = await ended

    expect(JSON.parse(stdout)).toMatchObject({ pid: child.pid, args: ["warn"], cache: join(folder, "cache/millrace") })
    expect(code).toBe(0)
    expect(stderr).toContain("a Warning")
    expect(stderr).not.toContain("Experimental")
  })

  it("says in one line that its Node is too old, where no other is there", async () => {
    expect(await run(["mac", "oldNode"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `millrace: needs Node 22.19 or newer; this is 20.20.2 at ${process.execPath}: install a newer one\n`
    })
    expect(await run(["oldNode", "beforeExec"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^millrace: needs Node 22\.19 or newer; install a newer one, or add one beside it: npm install node-linux-\w+@24\n$/
      )
    })
  })
})
