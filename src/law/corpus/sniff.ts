/**
 * The format of a file, from its first element. The name of the file does not count.
 */

export type Format = "uslm" | "ecfr" | "federal-register" | "regml" | "open-law" | "html"

/** A format, or why the file is not a file of law. */
type Sniffed = Format | { readonly why: string }

/** `head`: the beginning of the file, as text. */
export const sniff = (head: string): Sniffed => {
  if (head.includes("\0")) return { why: "it is not a text file" }
  const start = head.replace(before, "")
  const tag = /^<([A-Za-z_][\w.:-]*)([^>]*)/.exec(start)
  if (tag === null)
    return { why: /^<!doctype\s+html/i.test(start) ? "it has no elements" : "it is neither XML nor HTML" }
  const [, name = "", attributes = ""] = tag
  const local = name.replace(/^.*:/, "")
  if (uslm.has(local) && /uslm/.test(attributes)) return "uslm"
  if (regMlChange.has(local) && /["']eregs["']/.test(attributes)) {
    return { why: "it lists changes to a regulation and is not the regulation: load the changed regulation instead" }
  }
  if (local === "regulation" && /["']eregs["']/.test(attributes)) return "regml"
  if (openLaw.has(local) && /\/schemas\/(dc-)?library["']/.test(attributes)) return "open-law"
  if (local === "DLPSTEXTCLASS" || local === "ECFR" || (/^DIV[1-8]$/.test(local) && /\bTYPE=/.test(attributes)))
    return "ecfr"
  if (local === "FEDREG") return "federal-register"
  if (local.toLowerCase() === "html") return "html"
  return { why: `its first element is <${name}>, which is not a known format of government texts` }
}

/** What may be before the first element: a byte order mark, declarations, comments, processing instructions. */
const before = /^\ufeff?(\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^[>]*(\[[\s\S]*?\]\s*)?>)*/i

const uslm = new Set([
  "uscDoc",
  "cfrDoc",
  "frDoc",
  "statuteCompilation",
  "bill",
  "resolution",
  "amendment",
  "engrossedAmendment",
  "pLaw",
  "publicLaw"
])
/** Documents of RegML that hold differences of regulations. */
const regMlChange = new Set(["notice", "changeset", "diff"])
const openLaw = new Set(["library", "collection", "document", "container", "section"])
