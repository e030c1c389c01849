/**
 * The program that copies a file and sees it onto the disk: `node copy.ts FROM TO`. Where the file system can, the copy
 * shares its blocks with the original and costs nothing. It is made read-only: what a reader wrote into it would be gone
 * with the next one.
 */
import * as Fs from "node:fs"

const [from = "", to = ""] = process.argv.slice(2)
Fs.rmSync(to, { force: true })
Fs.copyFileSync(from, to, Fs.constants.COPYFILE_FICLONE)
Fs.chmodSync(to, 0o444)
const copy = Fs.openSync(to, "r")
Fs.fsyncSync(copy)
Fs.closeSync(copy)
