import { spawn } from "node:child_process"
import { closeSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { command, inFolder } from "./millrace.ts"

it("an answer that stdout does not take, as on a full disk, is told on stderr and is a failure", () =>
  inFolder(async (folder) => {
    writeFileSync(
      join(folder, "p.yaml"),
      "source: { type: crawl, url: http://site.test/ }\nsinks: { m: { type: memory, name: m } }\n"
    )
    // A file that is open for reading alone refuses each write.
    const refusing = openSync(join(folder, "p.yaml"), "r")
    const child = spawn(command, ["check", "p.yaml"], { cwd: folder, stdio: ["ignore", refusing, "pipe"] })
    let said = ""
    child.stderr?.on("data", (chunk) => (said += chunk))
    const code = await new Promise((done) => child.on("close", done))
    closeSync(refusing)

    expect([code, said]).toEqual([1, expect.stringMatching(/^the output cannot be written to stdout: EBADF/)])
  }))
