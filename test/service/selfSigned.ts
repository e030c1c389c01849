/** A certificate that nobody trusts, written down by hand (X.509 v1, DER), for the TLS servers of tests. */
import { generateKeyPairSync, sign } from "node:crypto"

export const selfSigned = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const algorithm = sequence(objectId("2a8648ce3d040302"))
  const distinguished = sequence(
    tagged(0x31, sequence(Buffer.concat([objectId("550403"), tagged(0x0c, Buffer.from(name))])))
  )
  const validity = sequence(
    Buffer.concat(["200101000000Z", "491231235959Z"].map((at) => tagged(0x17, Buffer.from(at))))
  )
  const key = publicKey.export({ type: "spki", format: "der" })
  const body = sequence(
    Buffer.concat([tagged(0x02, Buffer.from([1])), algorithm, distinguished, validity, distinguished, key])
  )
  const signature = sign("sha256", body, privateKey)
  const certificate = sequence(
    Buffer.concat([body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature]))])
  )
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" })
  }
}

/** Tag, length, value; lengths up to 65,535. */
const tagged = (tag: number, value: Buffer): Buffer => {
  const { length } = value
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), value])
}

const sequence = (value: Buffer): Buffer => tagged(0x30, value)

const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"))
