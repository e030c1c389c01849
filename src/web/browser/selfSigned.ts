/**
 * The certificate of the guarded proxy: a key that only this process has, in an X.509 certificate.
 *
 * The browser gets the hash of this key and accepts no other from the proxy, so the certificate names no host and is
 * signed by no authority. The proxy verifies the certificates of sites, as every other fetch does.
 */
import { createHash, generateKeyPairSync, sign } from "node:crypto"
import { createSecureContext, type SecureContext } from "node:tls"

export interface SelfSigned {
  readonly context: SecureContext
  /** SHA-256 of the public key (SubjectPublicKeyInfo) in base64, as browsers take it. */
  readonly keyHash: string
}

export const issue = (): SelfSigned => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const spki = publicKey.export({ type: "spki", format: "der" })
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    commonName,
    sequence(tagged(0x18, Buffer.from("20200101000000Z")), tagged(0x18, Buffer.from("20991231235959Z"))),
    commonName,
    spki
  )
  const signature = tagged(0x03, Buffer.from([0]), sign("sha256", body, privateKey))
  const certificate = sequence(body, ecdsaWithSha256, signature)
  return {
    context: createSecureContext({
      key: privateKey.export({ type: "pkcs8", format: "pem" }),
      cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`
    }),
    keyHash: createHash("sha256").update(spki).digest("base64")
  }
}

/** A value in DER: its tag, its length, its bytes. */
const tagged = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const value = Buffer.concat(parts)
  const length =
    value.length < 0x80
      ? [value.length]
      : value.length < 0x100
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => tagged(0x30, ...parts)

const integer = (small: number): Buffer => tagged(0x02, Buffer.from([small]))

const objectId = (...bytes: ReadonlyArray<number>): Buffer => tagged(0x06, Buffer.from(bytes))

/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

/** 2.5.4.3 */
const commonName = sequence(tagged(0x31, sequence(objectId(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from("millrace")))))
