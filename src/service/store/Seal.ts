/**
 * A seal: text that only the holder of a key can read (AES-256-GCM).
 *
 * What is sealed is one word that begins with `sealed:`, so that it stands in a column, in JSON or in SQL like any other text.
 * A seal may be the same for the same text, so that a database compares sealed texts as it would compare the texts: its nonce
 * is then a keyed hash of the text.
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
  /** Undefined: it was sealed with another key, or was changed since. What is not sealed is as it is. */
  readonly open: (text: string) => string | undefined
}

/** `key`: 32 bytes. `isSame`: the same text is sealed the same way. */
export const make = (key: Uint8Array, isSame: boolean): Seal => {
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
        // GCM says so of what another key has sealed.
        return undefined
      }
    }
  }
}

export const random = (): Uint8Array => randomBytes(keyBytes)

/** A key of whatever somebody has chosen: a long text, as a passphrase or 64 hexadecimal digits. */
export const keyOf = (secret: string): Uint8Array =>
  Buffer.from(hkdfSync("sha256", secret, "", "millrace seal key", keyBytes))

export const isSealed = (text: string): boolean => sealed.test(text)

/** The strings of a JSON text that are sealed, opened; undefined where one cannot be. */
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

/** Made once: of a key as bytes, Node makes an object of its own for each use. */
const derived = (key: Uint8Array, use: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", key, "", use, keyBytes)))
