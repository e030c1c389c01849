/**
 * A program that copies a file and syncs it to the disk: `node copy.ts FROM TO`. If the file system can, the copy shares its
 * blocks with the original and costs nothing. The copy is read-only, because the next copy would remove a reader's changes.
 * If it fails, it writes the reason to standard error.
 */
import * as Fs from "node:fs"
import { systemReason } from "#base/systemReason"

const [from = "", to = ""] = process.argv.slice(2)
try {
  Fs.rmSync(to, { force: true })
  Fs.copyFileSync(from, to, Fs.constants.COPYFILE_FICLONE)
  Fs.chmodSync(to, 0o444)
  const copy = Fs.openSync(to, "r")
  Fs.fsyncSync(copy)
  Fs.closeSync(copy)
} catch (error) {
  process.stderr.write(systemReason(error))
  process.exitCode = 1
}
