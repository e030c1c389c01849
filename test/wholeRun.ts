/**
 * What a run of every test (`npm test`, `npm run test:soak`) has once, and each file of it shares: this checkout installed in
 * a folder, so that the tests that start the command line start what users do, in half the time; a Postgres; an S3 server;
 * and a folder for all that is temporary, in memory where this machine has room, since a disk that is asked to be sure takes
 * milliseconds each time. A soak stays on the disk. Whoever runs single files by `npx vitest` waits for none of it: there the
 * sources run as they are, and a file that needs a server starts it.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { install, installBuilt } from "../scripts/install.ts"
import { type OwnServer, ownServer } from "./services/ownServer.ts"
import { environmentOf, notToBeHad } from "./services/serverUrl.ts"
import { soaking } from "./soak.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The command line that tests start; undefined: this checkout's. */
    readonly command: string | undefined
    /** The URL of the server that all files share, or that there is none to be had; undefined: each process starts its own. */
    readonly postgres: string | undefined
    readonly s3: string | undefined
  }
}

export default async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (!["test", "test:soak"].includes(process.env["npm_lifecycle_event"] ?? "")) {
    project.provide("command", undefined)
    project.provide("postgres", undefined)
    project.provide("s3", undefined)
    return undefined
  }
  const place = !soaking && hasRoom(memory) ? memory : tmpdir()
  for (const name of readdirSync(place)) if (isLeft(name)) rmSync(join(place, name), { recursive: true, force: true })
  const temporary = mkdtempSync(join(place, `millrace-tests-${process.pid}-`))
  // The user that Postgres runs as comes through.
  chmodSync(temporary, 0o711)
  process.env["TMPDIR"] = temporary
  // What commands have compiled: of no use to the next run, whose commands are in another folder.
  process.env["NODE_COMPILE_CACHE"] = join(temporary, "compiled")
  const servers: Array<OwnServer> = []
  const serve = async (name: "postgres" | "s3"): Promise<void> => {
    const named = process.env[environmentOf[name]]
    const server = named === undefined ? await ownServer(`${name}.sh`, name.toUpperCase()) : undefined
    if (server !== undefined) servers.push(server)
    project.provide(name, named ?? server?.url ?? notToBeHad)
  }
  const serving = [serve("postgres"), serve("s3")]
  const installed = join(temporary, "installed")
  // `.ci/run` has built it just now; else without types, which `npm run check` looks at.
  const isBuilt = process.env["MILLRACE_BUILT"] !== undefined
  project.provide("command", isBuilt ? installBuilt(installed) : install(installed, "--no-types"))
  await Promise.all(serving)
  return async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
    rmSync(temporary, { recursive: true, force: true })
  }
}

const memory = "/dev/shm"

/** Whether this is a file system in memory with room for a run, which takes less than half of that. */
const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize, type } = statfsSync(folder)
    return type === tmpfs && bavail * bsize >= 4 * 2 ** 30
  } catch {
    return false
  }
}

/** As Linux numbers it. */
const tmpfs = 0x01021994

/** Whether this is the folder of a run that was killed, and could not remove it. */
const isLeft = (name: string): boolean => {
  const [, pid] = /^millrace-tests-(\d+)-/.exec(name) ?? []
  if (pid === undefined) return false
  try {
    return !process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}
