/**
 * A secret that is made once, and kept in a file that only its owner can read.
 *
 * Guarantee: the file is whole or not there, wherever its process is killed. It is never written over: what was sealed or signed
 * with its secret could not be read or verified any more.
 */
import { randomBytes } from "node:crypto"
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as Durable from "./Durable.ts"

/** The secret in a file: 64 hexadecimal digits if it is made now. It throws if the file is empty, or cannot be read or made. */
export const readOrMake = (file: string): string => {
  if (!existsSync(file)) make(file)
  const secret = readFileSync(file, "utf8").trim()
  if (secret === "") throw new Error(`${file} is empty; delete the file for a new secret, or write one to it`)
  return secret
}

const make = (file: string): void => {
  const secret = randomBytes(32).toString("hex")
  const draft = `${file}.${secret.slice(0, 8)}`
  try {
    writeFileSync(draft, `${secret}\n`, { flag: "wx", mode: 0o600, flush: true })
    linkSync(draft, file)
    Durable.syncNow(dirname(file))
  } catch (cause) {
    // Another process was first.
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  } finally {
    rmSync(draft, { force: true })
  }
}
