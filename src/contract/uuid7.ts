/**
 * UUIDs of version 7 (RFC 9562, 5.7): ids that sort by the time of their creation.
 */
import { randomFillSync } from "node:crypto"

/** Random bytes for 256 ids at a time: drawing 16 bytes from the system takes as long as drawing 4096. */
const pool = Buffer.alloc(4096)
let used = pool.length

export const uuid7 = (now: number = Date.now()): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, (used += 16))
  bytes.writeUIntBE(now, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A predicate: whether an id of version 7 was created before this time. */
export const madeBefore = (time: number): ((id: string) => boolean) => {
  const hex = Math.max(0, time).toString(16).padStart(12, "0")
  const first = `${hex.slice(0, 8)}-${hex.slice(8)}-`
  return (id) => id < first
}

/** Whether a text is a UUID of any version. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
