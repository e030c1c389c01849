/**
 * Locations of files in a pipeline file: a path on this machine, or a URL of an object store.
 *
 * A location that no connector serves is refused before anything runs. Otherwise `gs://lake/pages` would become a folder
 * of that name on this machine and look like a success.
 */
import * as Schema from "effect/Schema"

/** A path of this machine, for connectors that open files themselves. */
export const path = Schema.NonEmptyString.check(
  Schema.makeFilter((text: string) => pathFault(text) ?? true, { toJsonSchema: () => ({}) })
)

/** A path on this machine, or a URL of a store. `storeFault` checks the scheme, because it depends on the connectors. */
export const pathOrUrl = Schema.NonEmptyString.annotate({ isStore: true })

/** Whether a location is on this machine, so that it can be checked without a network. */
export const isLocal = (text: string): boolean => [undefined, "file"].includes(schemeOf(text))

/** Why no store opens a location; undefined: one does. `schemes` are those of the connectors; "file" is for paths. */
export const storeFault = (text: string, schemes: ReadonlyArray<string>): string | undefined => {
  const scheme = schemeOf(text)
  if (scheme === undefined) return homeFault(text)
  if (schemes.includes(scheme) && text.startsWith("://", scheme.length)) return undefined
  const urls = schemes.filter((one) => one !== "file").map((one) => `, or ${one}://bucket/prefix`)
  return `${unserved(text, scheme)}: write a path of this machine${urls.join("")}${butPath(text, scheme)}`
}

const pathFault = (text: string): string | undefined => {
  if (text === ":memory:") return "a database in memory is gone after the run: write a path, such as ./warehouse.duckdb"
  const scheme = schemeOf(text)
  if (scheme === undefined) return homeFault(text)
  return `${unserved(text, scheme)}: write a path of this machine${butPath(text, scheme)}`
}

/** The scheme that a text begins with, in lower case. One letter is a drive and not a scheme. */
const schemeOf = (text: string): string | undefined => /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase()

const homeFault = (text: string): string | undefined =>
  /^~(\/|$)/.test(text) ? `~ is not expanded: write \${env.HOME}${text.slice(1)}` : undefined

const unserved = (text: string, scheme: string): string =>
  `no connector serves ${scheme}:${text.startsWith("//", scheme.length + 1) ? "//" : ""} here`

const butPath = (text: string, scheme: string): string =>
  text.startsWith("//", scheme.length + 1) ? "" : `, or ./${text} if that is the name of a file`
