/**
 * The folder of a whole run for all that is temporary: in memory where this machine has room, since a disk that is asked to
 * be sure takes milliseconds each time. A soak stays on the disk.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { soaking } from "./thoroughness.ts"

/** A new one; what killed runs left is gone. */
export const temporaryFolder = (): string => {
  const place = !soaking && hasRoom(memory) ? memory : tmpdir()
  for (const name of readdirSync(place)) if (isLeft(name)) rmSync(join(place, name), { recursive: true, force: true })
  const folder = mkdtempSync(join(place, `millrace-tests-${process.pid}-`))
  // The user that Postgres runs as comes through.
  chmodSync(folder, 0o711)
  return folder
}

const memory = "/dev/shm"

/** Whether this is a file system in memory with room for a run, which takes a tenth of that. */
const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize, type } = statfsSync(folder)
    return type === tmpfs && bavail * bsize >= 4 * 2 ** 30
  } catch {
    return false
  }
}

/** As Linux numbers it. */
const tmpfs = 0x01021994

/** Whether this is the folder of a run that was killed, and could not remove it. */
const isLeft = (name: string): boolean => {
  const [, pid] = /^millrace-tests-(\d+)-/.exec(name) ?? []
  if (pid === undefined) return false
  try {
    return !process.kill(Number(pid), 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}
