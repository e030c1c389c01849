/**
 * The list at the end of a run of what this machine could not run: the reasons that files gave for it, in lines that begin with
 * `SKIPPED: `, and the suites of a server that cannot be had. A machine with everything has no list.
 */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import type { UserConsoleLog } from "vitest"
import type { Reporter, TestModule } from "vitest/node"
import { environmentOf, notToBeHad } from "./services/serverUrl.ts"

/** How the text of a test file shows that it needs a server. */
const needs = {
  postgres: /services\/postgres|databaseUrl|onPostgres|onEachDatabase|behindPort/,
  s3: /services\/s3/
} as const

export class SkippedSuites implements Reporter {
  readonly reasons = new Set<string>()

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const [, reason = ""] of content.matchAll(/^SKIPPED: (.+)$/gm)) this.reasons.add(reason)
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const lines = [...this.reasons, ...withoutServers(modules)]
    if (lines.length > 0) process.stdout.write(`\nSKIPPED, because this machine lacks it:\n  ${lines.join("\n  ")}\n`)
  }
}

/** Of each server that cannot be had: how many tests are skipped for it, and in which files. */
const withoutServers = (modules: ReadonlyArray<TestModule>): ReadonlyArray<string> =>
  (["postgres", "s3"] as const)
    .filter((name) => process.env[environmentOf[name]] === notToBeHad)
    .flatMap((name) => {
      const files = modules
        .map((module) => ({ file: module.moduleId, skipped: [...module.children.allTests("skipped")].length }))
        .filter(({ file, skipped }) => skipped > 0 && needs[name].test(readFileSync(file, "utf8")))
      const sum = files.reduce((tests, { skipped }) => tests + skipped, 0)
      return [
        `no ${name}: ${sum} tests in ${files.length} files`,
        ...files.map(({ file, skipped }) => `  ${skipped} in ${relative(process.cwd(), file)}`)
      ]
    })
