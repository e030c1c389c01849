/**
 * Codes of states and how they are cited: by title and number, as "9 V.S.A. § 2451" is, where a number counts only inside its
 * title; or by a number that is whole, as "COMAR 21.03.04.01" is.
 *
 * The code that writes such citations and the code that reads them use this list, so that they agree.
 */
export interface TitledCode {
  /** What identities of its state begin with. */
  readonly root: string
  readonly name: string
  /** Between title and section: "V.S.A.". */
  readonly cited: string
  /** Before "tit. 9, § 2451". */
  readonly long: string
  /** All three, as people write them, in any case: an expression. */
  readonly books: string
}

/** Codes whose numbers are whole. */
interface NumberedCode {
  readonly root: string
  readonly books: string
}

/** "V.S.A.", "VSA", "V. S. A.". */
const letters = (written: string): string =>
  (written.toLowerCase().match(/[a-z]+/g) ?? []).map((part) => String.raw`${part}\.?`).join(" ?")

/** "Vermont Statutes Annotated", "Vermont Statutes". */
const spelled = (name: string): string => name.toLowerCase().replace(/ annotated$/, "(?: annotated| online)?")

const code = (
  root: string,
  name: string,
  cited: string,
  long: string,
  pattern = letters(cited),
  longPattern = letters(long)
): TitledCode => ({ root, name, cited, long, books: [pattern, longPattern, spelled(name)].join("|") })

export const titledCodes: ReadonlyArray<TitledCode> = [
  code("us-vt", "Vermont Statutes Annotated", "V.S.A.", "Vt. Stat. Ann."),
  code("us-me", "Maine Revised Statutes", "M.R.S.", "Me. Rev. Stat.", String.raw`m\.? ?r\.? ?s\.?(?: ?a\.?)?`),
  code(
    "us-pa",
    "Pennsylvania Consolidated Statutes",
    "Pa.C.S.",
    "Pa. Cons. Stat.",
    String.raw`pa\.? ?c\.? ?s\.?(?: ?a\.?)?`
  ),
  code("us-ok", "Oklahoma Statutes", "O.S.", "Okla. Stat.", String.raw`o\. ?s\.`),
  code("us-de", "Delaware Code", "Del. C.", "Del. Code Ann.", String.raw`del\. ?c(?:\.|ode)`),
  code("us-pr", "Laws of Puerto Rico Annotated", "L.P.R.A.", "P.R. Laws Ann."),
  code("us-vi", "Virgin Islands Code", "V.I.C.", "V.I. Code Ann."),
  code("us-gu", "Guam Code Annotated", "G.C.A.", "Guam Code Ann.")
]

const regulations = (root: string, ...books: ReadonlyArray<string>): NumberedCode => ({ root, books: books.join("|") })

export const numberedCodes: ReadonlyArray<NumberedCode> = [
  regulations(
    "us-md",
    "comar",
    String.raw`m(?:aryland|d\.?) (?:code regs?\.?|regs?\.? code|code of regulations|adc)`,
    "(?:maryland )?code of maryland regulations"
  ),
  regulations("us-wa", "wac", String.raw`wash\.? admin\.? code`, "washington administrative code"),
  regulations("us-or", "oar", String.raw`or\.? admin\.? r(?:ules?|\.)?`, "oregon administrative rules?"),
  regulations(
    "us-nj",
    String.raw`n\.? ?j\.? ?a\.? ?c\.?`,
    String.raw`n\.?j\.? admin\.? code`,
    "new jersey administrative code"
  ),
  regulations("us-nv", String.raw`nev\.? admin\.? code`, "nevada administrative code"),
  regulations("us-oh", String.raw`ohio adm(?:in|inistrative)?\.? code`)
]
