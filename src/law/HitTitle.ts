/**
 * The title of a hit: what a section is, and what a reader checks before citing it, in one line:
 * "17 U.S.C. § 101. Definitions [United States, in force, 117-80]".
 *
 * `read(make(parts))` gives the parts again, with single blanks; brackets in jurisdiction and version become round ones.
 * For a title of another form, `read` gives nothing.
 */
import type { Status } from "./GovText.ts"

interface HitTitle {
  readonly citation: string
  /** "" where the section has none. */
  readonly heading: string
  readonly jurisdiction: string
  readonly status: Status
  /** "" where the text does not say. */
  readonly version: string
}

export const format = ({ jurisdiction, status, version, ...parts }: HitTitle): string => {
  const [citation, heading] = [plain(parts.citation), plain(parts.heading)]
  const title = heading === "" ? citation : `${citation}. ${heading}`
  const [seenCitation, seenHeading] = split(title)
  const isTold = seenCitation === citation && seenHeading === heading
  const body = isTold ? title : `${citation}${seam}${heading === "" ? "" : `. ${heading}`}`
  const facts = [round(jurisdiction), status, round(version)].filter((fact) => fact !== "")
  return `${body} [${facts.join(", ")}]`
}

export const read = (title: string): Partial<HitTitle> => {
  const found = tail.exec(title)
  if (found === null) return {}
  const { body = "", jurisdiction = "", status = "", version = "" } = found.groups ?? {}
  const [citation, heading] = split(body)
  return isStatus(status) ? { citation, heading, jurisdiction, status, version } : {}
}

const statuses: ReadonlySet<string> = new Set<Status>(["in force", "historical", "bill", "guidance", "reproduction"])
const isStatus = (text: string): text is Status => statuses.has(text)

/** A jurisdiction has commas of its own ("San Mateo, California"), so it ends where a status stands. */
const tail = new RegExp(
  String.raw`^(?<body>.*) \[(?<jurisdiction>[^[\]]*?)(?:, |(?<=\[))(?<status>${[...statuses].join("|")})(?:, (?<version>[^[\]]*))?\]$`,
  "su"
)

/** U+2060, the word joiner: marks the end of a citation that would otherwise run into its heading, and is not seen. */
const seam = "\u2060"

/** Citation and heading: parted at the seam, or at the first ". " that no abbreviation of a citation has before it. */
const split = (body: string): readonly [string, string] => {
  const at = body.indexOf(seam)
  if (at >= 0) return [body.slice(0, at), body.slice(at + seam.length + 2)]
  for (let dot = body.indexOf(". "); dot >= 0; dot = body.indexOf(". ", dot + 1)) {
    if (!abbreviation.test(body.slice(0, dot))) return [body.slice(0, dot), body.slice(dot + 2)]
  }
  return [body, ""]
}

/** "17 U.S.C. § 101", "Pub. L. 91-596, § 5", "H.R. 1058, 116th Cong., § 2", "12 C.F.R. pt. 1005, App. A", "St. Paul". */
const abbreviation =
  /(?:^|[\s(])(?:(?:\p{L}\.)+\p{L}|pub|pub\. l|fed|reg|cong|stat|doc|no|nos|art|ch|tit|subtit|pt|subpt|sec|subsec|div|par|cl|app|appx|apps|amend|const|ord|ex|exec|interp|supp|suppl|comp|cons|cod|mun|rev|gen|dept|res|con|ed|st|ft|mt)$|^(?:s|h)$|(?:^|\s)(?:s|h)\. ?(?:j|con)$/iu

const plain = (text: string): string => text.replaceAll(seam, "").replace(/\s+/gu, " ").trim()

const round = (text: string): string => plain(text).replaceAll("[", "(").replaceAll("]", ")")
