/**
 * Encrypts texts of the store (AES-256-GCM).
 *
 * A sealed text is one word that begins with `sealed:`, so it can stand in a column, in JSON or in SQL like any other text.
 * The same text can be sealed to the same word each time, so that a database can compare sealed texts: the nonce is then a
 * keyed hash of the text.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes
} from "node:crypto"

export interface Seal {
  readonly seal: (text: string) => string
  /** Returns undefined if the text was sealed with another key, or changed since. Returns other texts as they are. */
  readonly open: (text: string) => string | undefined
}

/** `key`: 32 bytes. `isSame`: seals the same text to the same word. */
export const withKey = (key: Uint8Array, isSame: boolean): Seal => {
  const own = derived(key, "seal")
  const nonces = derived(key, "nonce")
  return {
    seal: (text) => {
      const nonce = isSame
        ? createHmac("sha256", nonces).update(text).digest().subarray(0, nonceBytes)
        : randomBytes(nonceBytes)
      const cipher = createCipheriv("aes-256-gcm", own, nonce)
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
      return prefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")
    },
    open: (text) => {
      if (!isSealed(text)) return text
      const bytes = Buffer.from(text.slice(prefix.length), "base64url")
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const cipher = createDecipheriv("aes-256-gcm", own, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        const body = bytes.subarray(nonceBytes + tagBytes)
        return Buffer.concat([cipher.update(body), cipher.final()]).toString("utf8")
      } catch {
        // The tag does not match: another key, or a changed text.
        return undefined
      }
    }
  }
}

export const random = (): Uint8Array => randomBytes(keyBytes)

/** Derives a key from any long text: a passphrase, or 64 hexadecimal digits. */
export const keyOf = (secret: string): Uint8Array =>
  Buffer.from(hkdfSync("sha256", secret, "", "millrace seal key", keyBytes))

export const isSealed = (text: string): boolean => sealed.test(text)

/** Opens all sealed strings in a JSON text. Returns undefined if one cannot be opened. */
export const openWithin = (open: Seal["open"], json: string): string | undefined => {
  let isWhole = true
  const opened = json.replaceAll(inJson, (_, text: string) => {
    const own = open(text)
    if (own === undefined) isWhole = false
    return JSON.stringify(own ?? "")
  })
  return isWhole ? opened : undefined
}

const prefix = "sealed:"
const sealed = /^sealed:[\w-]{38,}$/
const inJson = /"(sealed:[\w-]{38,})"/g

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A `KeyObject` is made only once: Node would make one for each use of a key as bytes. */
const derived = (key: Uint8Array, use: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", key, "", use, keyBytes)))
