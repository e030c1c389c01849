/**
 * The program that copies a file and sees it onto the disk: `node copy.ts FROM TO`. Where the file system can, the copy
 * shares its blocks with the original and costs nothing. It is made read-only: what a reader wrote into it would be gone
 * with the next one. Why it could not be done stands on its standard error, in words.
 */
import * as Fs from "node:fs"
import { systemReason } from "../../../src/text/systemReason.ts"

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
