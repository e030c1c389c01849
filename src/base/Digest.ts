/**
 * The digest of bytes that decide something: what is read later is compared with what was written.
 *
 * It tells damage, not an enemy, so the first digits of a SHA-256 are enough where many are stated.
 */
import { hash } from "node:crypto"

/** The SHA-256 of bytes, in hexadecimal digits. */
export const of = (bytes: Uint8Array | string): string => hash("sha256", bytes)

/** Its first sixteen digits, for names and lists. */
export const short = (bytes: Uint8Array | string): string => of(bytes).slice(0, 16)

/** Whether these are the bytes of a stated digest, long or short. No bytes are not. */
export const isOf = (bytes: Uint8Array | string | undefined, stated: string): boolean =>
  bytes !== undefined && stated.length >= 16 && of(bytes).startsWith(stated)
