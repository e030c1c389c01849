/** A service whose database is lost, beside the key that its data was sealed with. */
import { existsSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { inFolder, millrace, start } from "../millrace.ts"

/** Serves until it says its address, and is ended then. */
const served = async (folder: string) => {
  const { ended, process } = start(folder, "serve", "--port", "0", "--data", "data")
  process.stdout?.once("data", () => process.kill("SIGTERM"))
  return ended
}

for (const [how, lose] of [
  ["empty", (file: string) => truncateSync(file, 0)],
  ["missing", (file: string) => rmSync(file)]
] as const) {
  it(`says once that its database was ${how}, although there was one`, () =>
    inFolder(async (folder) => {
      const file = join(folder, "data/service.sqlite")
      expect((await served(folder)).stderr).not.toContain("says that there was one")
      for (const end of ["-wal", "-shm"]) if (existsSync(file + end)) rmSync(file + end)
      lose(file)
      expect((await served(folder)).stderr).toContain(
        `although data/seal-key says that there was one: it begins without jobs, monitors and results`
      )
      expect((await served(folder)).stderr).not.toContain("says that there was one")
    }))
}

it("does not start with an empty key, and says what to do", () =>
  inFolder(async (folder) => {
    await served(folder)
    writeFileSync(join(folder, "data/seal-key"), "")
    const { code, stderr } = await millrace(folder, "serve", "--port", "0", "--data", "data")
    expect([code, stderr]).toEqual([
      1,
      "cannot use the database data/service.sqlite: data/seal-key is empty; delete the file for a new secret, or write one to it\n"
    ])
  }))
