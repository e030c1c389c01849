/**
 * Codes whose sections are cited by title and number, as "9 V.S.A. § 2451" is: a number counts only inside its title.
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
  /** Both, as people write them, in any case. */
  readonly pattern: string
  readonly longPattern: string
}

/** "V.S.A.", "VSA", "V. S. A.". */
const letters = (written: string): string =>
  (written.toLowerCase().match(/[a-z]+/g) ?? []).map((part) => String.raw`${part}\.?`).join(" ?")

const code = (
  root: string,
  name: string,
  cited: string,
  long: string,
  pattern = letters(cited),
  longPattern = letters(long)
): TitledCode => ({ root, name, cited, long, pattern, longPattern })

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
