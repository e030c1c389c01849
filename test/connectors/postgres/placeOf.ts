/** The options of a sink whose schema is of a folder alone. */
import { createHash } from "node:crypto"
import * as Redacted from "effect/Redacted"

export const placeOf = (url: string, directory: string) => ({
  url: Redacted.make(url),
  schema: `s${createHash("sha256").update(directory).digest("hex").slice(0, 12)}`
})
