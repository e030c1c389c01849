/**
 * What an interrupted verification has found whole, so that the next one continues: one line for each file, in the cache of this
 * machine. It is removed when a verification has ended.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Digest from "#base/Digest"
import type * as Sink from "#engine/Sink"

export interface WholeFiles extends Sink.WholeFiles {
  /** Forgets them: the next verification reads all files. */
  readonly end: () => void
}

/** `place`: what is verified. */
export const open = (place: string): WholeFiles => {
  const cache = process.env["XDG_CACHE_HOME"] || process.env["LOCALAPPDATA"] || join(homedir(), ".cache")
  const path = join(cache, "millrace", "verify", `${Digest.short(place)}.txt`)
  const known = new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n") : [])
  mkdirSync(dirname(path), { recursive: true })
  return {
    has: (print) => known.has(Digest.short(print)),
    add: (print) => {
      const line = Digest.short(print)
      if (known.has(line)) return
      known.add(line)
      appendFileSync(path, `${line}\n`)
    },
    end: () => rmSync(path, { force: true })
  }
}
