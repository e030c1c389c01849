/**
 * What a run of every test (`npm test`, `npm run test:soak`) has once, and each file of it shares: this checkout installed in
 * a folder, so that the tests that start the command line start what users do, in half the time; a Postgres; and an S3
 * server. Whoever runs single files by `npx vitest` waits for none of it: there the sources run as they are, and a file that
 * needs a server starts it.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { install } from "../scripts/install.ts"
import { type OwnServer, ownServer } from "./services/ownServer.ts"
import { environmentOf, notToBeHad } from "./services/serverUrl.ts"

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
  const servers: Array<OwnServer> = []
  const serve = async (name: "postgres" | "s3"): Promise<void> => {
    const named = process.env[environmentOf[name]]
    const server = named === undefined ? await ownServer(`${name}.sh`, name.toUpperCase()) : undefined
    if (server !== undefined) servers.push(server)
    project.provide(name, named ?? server?.url ?? notToBeHad)
  }
  const serving = [serve("postgres"), serve("s3")]
  const folder = mkdtempSync(join(tmpdir(), "millrace-installed-"))
  // `npm run check` looks at types.
  project.provide("command", install(folder, "--no-types"))
  await Promise.all(serving)
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}
