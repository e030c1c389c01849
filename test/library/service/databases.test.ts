import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { inFolder, millrace, start } from "../../app/millrace.ts"

/** A port of loopback that nobody listens on. */
const nowhere = "postgres://reader:s3cret@127.0.0.1:1/jobs"

const secret = ["--webhook-secret", "whsec-1"]

describe("millrace serve --database", () => {
  it("says which Postgres it cannot use, without its password, and makes no folder", () =>
    inFolder(async (folder) => {
      const { code, stdout, stderr } = await millrace(folder, "serve", "--port", "0", "--database", nowhere, ...secret)

      expect(code).toBe(1)
      expect(stdout).toBe("")
      expect(stderr).toBe("cannot use the database postgres://127.0.0.1:1/jobs: connect ECONNREFUSED 127.0.0.1:1\n")
      expect(existsSync(join(folder, ".millrace"))).toBe(false)
    }))

  it("refuses a URL of another kind instead of making a file of that name", () =>
    inFolder(async (folder) => {
      const { code, stderr } = await millrace(folder, "serve", "--database", "mysql://reader:s3cret@db.example/jobs")

      expect(code).toBe(2)
      expect(stderr).toBe(
        "--database takes postgres://USER:PASSWORD@HOST:PORT/DATABASE, or the path of a SQLite file; mysql://... is neither\n"
      )
    }))

  it("takes the path of a SQLite file, and is taken from the environment where the flag is missing", () =>
    inFolder(async (folder) => {
      const { process: service, ended } = start(folder, "serve", "--port", "0", "--database", "jobs.sqlite", ...secret)
      await new Promise((done) => service.stdout?.once("data", done))
      service.kill("SIGTERM")
      await ended
      process.env["MILLRACE_DATABASE_URL"] = nowhere
      const { stderr } = await millrace(folder, "serve", "--port", "0", ...secret).finally(() => {
        delete process.env["MILLRACE_DATABASE_URL"]
      })

      expect(existsSync(join(folder, "jobs.sqlite"))).toBe(true)
      expect(existsSync(join(folder, ".millrace"))).toBe(false)
      expect(stderr).toContain("postgres://127.0.0.1:1/jobs")
    }))
})
