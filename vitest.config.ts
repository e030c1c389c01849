import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** `.ci/run` asks for the counts in a file; people read the terminal. */
const report = process.env["MILLRACE_TEST_REPORT"]

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/installation.ts"],
    setupFiles: ["test/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests start processes of their own: one core is left to them, where there are more than two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: report === undefined ? ["default"] : ["default", "json"],
    ...(report === undefined ? {} : { outputFile: { json: report } })
  }
})
