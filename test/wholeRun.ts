/**
 * What a run of every test (`npm test`, `npm run test:full`, `npm run test:soak`) has once, and each file of it shares: this checkout installed in
 * a folder, so that the tests that start the command line start what users do, in half the time; a Postgres; an S3 server;
 * and a folder for all that is temporary. Whoever runs single files by `npx vitest` waits for none of it: there the sources
 * run as they are, and a file that needs a server starts it.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { install, installBuilt } from "../scripts/install.ts"
import { sharedServers } from "./services/sharedServers.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The command line that tests start; undefined: this checkout's. */
    readonly command: string | undefined
    /** Who says where the servers are that all files share (`sharedServers.ts`); undefined: each process starts its own. */
    readonly servers: string | undefined
  }
}

export default async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (!["test", "test:full", "test:soak"].includes(process.env["npm_lifecycle_event"] ?? "")) {
    project.provide("command", undefined)
    project.provide("servers", undefined)
    return undefined
  }
  const temporary = temporaryFolder()
  process.env["TMPDIR"] = temporary
  // What commands have compiled: of no use to the next run, whose commands are in another folder.
  process.env["NODE_COMPILE_CACHE"] = join(temporary, "compiled")
  const servers = await sharedServers()
  project.provide("servers", servers.url)
  const installed = join(temporary, "installed")
  // `.ci/run` has built it just now; else without types, which `npm run check` looks at.
  const isBuilt = process.env["MILLRACE_BUILT"] !== undefined
  project.provide("command", isBuilt ? installBuilt(installed) : install(installed, "--no-types"))
  return async () => {
    await servers.stop()
    rmSync(temporary, { recursive: true, force: true })
  }
}
