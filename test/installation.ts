/**
 * What `npm test` does first: it installs this checkout in a folder that goes with the run, so that the tests that start the
 * command line start what users do, in half the time. Whoever runs single files by `npx vitest` waits for no build: there
 * the sources run as they are.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { install } from "../scripts/install.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The command line that tests start; undefined: this checkout's. */
    readonly command: string | undefined
  }
}

export default (project: TestProject): (() => void) | undefined => {
  if (process.env["npm_lifecycle_event"] !== "test") {
    project.provide("command", undefined)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), "millrace-installed-"))
  project.provide("command", install(folder))
  return () => rmSync(folder, { recursive: true, force: true })
}
