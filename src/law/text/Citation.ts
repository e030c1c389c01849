/**
 * Citations of law in running text, in all their usual forms, as keys that are the same for each form.
 *
 * Index and queries use this one reader, so two forms of one citation get the same key. A key holds what was written and
 * no more: "§ 10.04.010" is a number, and the words around it must say whose code it is. A paragraph, "(a)(1)", is not
 * part of a key.
 */
import { wordsIn } from "#base/Words"
import { numberedCodes, titledCodes } from "./titledCodes.ts"

export interface Cited {
  /** The offsets in the text as it was given. */
  readonly start: number
  readonly end: number
  /** The keys that it may mean, the most likely first. */
  readonly keys: ReadonlyArray<string>
  /** The keys of the texts that contain it: the Act of a section, or the part of a regulation. */
  readonly within: ReadonlyArray<string>
  /** "(a)(1)"; "" where none is named. */
  readonly paragraph: string
  /** Whether it is only a number, such as "section 5", which means something only with the name of a text. */
  readonly isBare: boolean
}

/** The citations in a text, in order. If two overlap, one that names its text counts, then the first, then the longer. */
export const find = (text: string): ReadonlyArray<Cited> => {
  const plain = text.replace(/[‐-―−]/g, "-").replace(/\s/g, " ")
  const all = readersOf(plain).flatMap(({ pattern, read }) =>
    Array.from(plain.matchAll(pattern), (match): Cited => {
      const { keys, within = [], isBare = false } = read(match.groups ?? {})
      const paragraph = (match.groups?.paragraph ?? "").replaceAll(" ", "").toLowerCase()
      return { start: match.index, end: match.index + match[0].trimEnd().length, keys, within, paragraph, isBare }
    })
  )
  const read = all.filter(({ keys }) => keys.length > 0).sort((a, b) => a.start - b.start || b.end - a.end)
  const named = apart(read.filter(({ isBare }) => !isBare))
  // A number alone may be the rest of a citation that names its text.
  const numbers = apart(
    besides(
      read.filter(({ isBare }) => isBare),
      named
    )
  )
  return [...named, ...numbers].sort((a, b) => a.start - b.start)
}

/** Citations in order, without those that overlap the one before. */
const apart = (inOrder: ReadonlyArray<Cited>): ReadonlyArray<Cited> => {
  const distinct: Array<Cited> = []
  for (const one of inOrder) if (one.start >= (distinct.at(-1)?.end ?? 0)) distinct.push(one)
  return distinct
}

/** Citations in order, without those that overlap one of `others`, which are in order and do not overlap. */
const besides = (inOrder: ReadonlyArray<Cited>, others: ReadonlyArray<Cited>): ReadonlyArray<Cited> => {
  let at = 0
  return inOrder.filter(({ end, start }) => {
    while ((others[at]?.end ?? Infinity) <= start) at++
    return end <= (others[at]?.start ?? Infinity)
  })
}

/** The key of a whole citation, from its words only. */
export const wholeKey = (citation: string): string => `w/${wordsIn(citation).join(" ")}`

/** The keys of all whole citations that a text may contain, the longest first. */
export const wholeKeys = (text: string): ReadonlyArray<string> => {
  const all = wordsIn(text).slice(0, maxWords)
  const lengths = Array.from({ length: longest - shortest + 1 }, (_, less) => longest - less)
  return lengths.flatMap((length) =>
    all.slice(0, Math.max(0, all.length - length + 1)).map((_, at) => `w/${all.slice(at, at + length).join(" ")}`)
  )
}

/** Words of a text that are looked at, and of a citation. */
const maxWords = 24
const longest = 16
const shortest = 3

/** The citation of a key, as other texts write it. */
export const written = (key: string): string => {
  const [kind = "", first = "", second = "", third] = key.split("/")
  switch (kind) {
    case "usc":
      return `${first} U.S.C. ${second}`
    case "cfr":
      return second.includes(".") ? second : `part ${second}`
    case "pl":
      return `Public Law ${first}`
    case "bill":
      return (/^\d/.test(first) ? second : first).replace(/^hr/, "H.R. ").replace(/^s(?=\d)/, "S. ")
    case "fr":
      return `${first} FR ${second}`
    case "stat":
      return `${first} Stat. ${second}`
    default:
      return third ?? (second === "" ? first : second)
  }
}

/*
 * How citations are written, form by form, and the keys that each gives. A pattern is matched against text with plain dashes and blanks, in any case, and its time grows linearly with the
 * text; a pattern that usually means something else gives no key.
 */

/** The key of a number that is named without a text. */
export const bareKey = (number: string): string => `s/${number.toLowerCase()}`

type Groups = Readonly<Record<string, string | undefined>>
interface Read {
  readonly keys: ReadonlyArray<string>
  readonly within?: ReadonlyArray<string>
  readonly isBare?: boolean
}
interface Reader {
  readonly pattern: RegExp
  readonly read: (groups: Groups) => Read
}

const section = String.raw`(?:§{1,2}|sections?|sect?s?\.?|ss?\.)`
const paragraph = String.raw`(?<paragraph>(?: ?\([0-9a-z]{1,5}\))*)`
const usc = String.raw`(?:u\. ?s\. ?|us|united states )(?:code|c\.?(?: ?[as](?:\.|\b))?)(?: annotated| ann\.)?`
const cfr = String.raw`(?:c\. ?f\. ?r\.|cfr|code of federal regulations)`
const uscNumber = String.raw`(?<number>\d+[a-z]{0,4}(?:-\d+[a-z]{0,2})*)`
const cfrNumber = String.raw`(?<number>\d+(?:\.\d+[a-z]{0,3}(?:-\d+[a-z]?)*)?)`

const usualTitle = String.raw`(?<title>\d{1,2}a?)`

/** A book of titles is cited as "17 BOOK § 101", "section 101 of title 17, BOOK", "BOOK title 17, § 101". */
const ofTitles = (
  book: string,
  number: string,
  unit: string,
  read: (title: string, number: string) => Read,
  title = usualTitle
): ReadonlyArray<Reader> =>
  [
    String.raw`\b${title},? ?${book},? ?(?:${unit} ?)?${number}(?![\w])${paragraph}`,
    String.raw`\btitle ${title},? (?:of )?(?:the )?${book},? ?(?:${unit} ?)?${number}(?![\w])${paragraph}`,
    String.raw`(?:${unit} ?)${number}(?![\w])${paragraph},? (?:of |in )?(?:the )?title ${title},? (?:of )?(?:the )?${book}`,
    String.raw`\b${book},? (?:(?:title|tit\.?) ?)?${title},? ?${unit} ?${number}(?![\w])${paragraph}`,
    String.raw`\b${book},? title ${title},? ?${number}(?![\w])${paragraph}`
  ].map((pattern) => ({
    pattern: new RegExp(pattern, "gi"),
    read: ({ title = "", number = "" }) => read(title.toLowerCase(), number.toLowerCase())
  }))

/** "101-110" may be a range, and "2000e-5" is none: both ends are possible. */
const orFirst = (prefix: string, number: string): ReadonlyArray<string> => {
  const [first] = number.split("-")
  return first === number ? [`${prefix}${number}`] : [`${prefix}${number}`, `${prefix}${first}`]
}

const uscKeys = (title: string, number: string): Read => ({
  keys: orFirst(`usc/${title}/`, number),
  within: [`usc/${title}`]
})
const cfrKeys = (title: string, number: string): Read => {
  const [part] = number.split(".")
  return { keys: orFirst(`cfr/${title}/`, number), within: part === number ? [] : [`cfr/${title}/${part}`] }
}

/** Codes of states that are cited by title and section; the key begins with the state: "us-vt/9/2451". */
const stateTitle = String.raw`(?<title>\d{1,2}[a-z]?(?: app\.?)?)`
const stateNumber = String.raw`(?<number>\d+[a-z]{0,4}(?:[.:-]\d+[a-z]{0,4})*(?:-[a-z]{1,2})?)`
const ofStates: ReadonlyArray<Reader> = titledCodes.flatMap(({ books, root }) =>
  ofTitles(
    `(?:${books})`,
    stateNumber,
    section,
    (title, number) => ({ keys: orFirst(`${root}/${title.replace(/[ .]+/g, "")}/`, number) }),
    stateTitle
  )
)

/** Codes of states whose numbers are whole: "COMAR 21.03.04.01B(2)"; or are said step by step, from the title on. */
const wholeNumber = String.raw`(?<number>\d+[a-z]{0,2}(?:[.:-]\d+[a-z]{0,2})+)`
const ofNumbers: ReadonlyArray<Reader> = numberedCodes.flatMap(({ books, root }) => {
  const keysOf = (number: string): Read => {
    const lower = number.toLowerCase()
    const withoutParagraph = lower.replace(/[a-z]$/, "")
    return { keys: [...new Set([lower, withoutParagraph])].map((one) => `${root}/${one}`) }
  }
  const step = String.raw`(?:sub)?(?:title|tit\.?|chapter|ch\.?|regulation|reg\.?|§)`
  return [
    {
      pattern: new RegExp(
        String.raw`\b(?:${books}),? ?(?:${section} ?|reg(?:ulation|\.)? ?)?${wholeNumber}(?![\w])${paragraph}`,
        "gi"
      ),
      read: ({ number = "" }) => keysOf(number)
    },
    {
      pattern: new RegExp(
        String.raw`\b(?:${books}),? (?<steps>(?:${step} ?\.?\d+[a-z]{0,2}(?:[.-]\d+[a-z]{0,2})*,? ?){2,5})(?![\w])${paragraph}`,
        "gi"
      ),
      read: ({ steps = "" }) => keysOf((steps.match(/\d+[a-z]{0,2}(?:[.-]\d+[a-z]{0,2})*/gi) ?? []).join("."))
    }
  ]
})

/** What stands behind the sections of a part: appendices, and the official interpretations, which are its Supplement I. */
const appendix = String.raw`(?:app(?:endix|\.)? (?<appendix>[a-z]\d{0,2})|supp(?:lement|\.)? i(?:,? ${section}? ?(?<comment>\d+\.\d+[a-z]?))?)(?!\w)`
const behindPart = ({ appendix, comment, part = "", title }: Groups): Read => {
  const name = appendix === undefined ? "supp-i" : `app-${appendix.toLowerCase()}`
  const named = [...(title === undefined ? [] : [`cfr/${title}/${part}/${name}`]), `part/${part}/${name}`]
  const around = title === undefined ? [] : [`cfr/${title}/${part}`]
  return comment === undefined
    ? { keys: named, within: around }
    : {
        keys: named.map((one) => `${one}/${comment.toLowerCase()}`),
        within: [...named, ...around, ...explained(title, comment)]
      }
}

const withoutBook: ReadonlyArray<Reader> = [
  String.raw`${section} ?(?<number>\d+[a-z]{0,4}(?:[.-]\d+[a-z]{0,2})*)(?![\w])${paragraph},? (?:of |in )(?:the )?title ${usualTitle}\b`,
  String.raw`\btitle ${usualTitle},? ${section} ?(?<number>\d+[a-z]{0,4}(?:[.-]\d+[a-z]{0,2})*)(?![\w])${paragraph}`
].map((pattern) => ({
  pattern: new RegExp(pattern, "gi"),
  read: ({ title = "", number = "" }) => {
    const lower = number.toLowerCase()
    return {
      keys: lower.includes(".") ? orFirst(`cfr/${title}/`, lower) : orFirst(`usc/${title.toLowerCase()}/`, lower)
    }
  }
}))

const actNumber = String.raw`(?<number>\d+[a-z]{0,2}(?:-\d+)?)`
const publicLaw = String.raw`(?:pub(?:lic|\.)? ?l(?:aw|\.)?|p\. ?l\.|pl)(?: no\.?)? ?(?<law>\d{2,3}-\d{1,4})`
const act = ({ law = "", number }: Groups): Read =>
  number === undefined
    ? { keys: [`pl/${law}`] }
    : { keys: [`pl/${law}/${number.toLowerCase()}`], within: [`pl/${law}`] }

const billName = String.raw`(?<![.\w])(?<chamber>h|s)(?<dot>\.)? ?(?:(?<kind>r|j\.? ?res|con\.? ?res|res)\.? ?)?(?<bill>\d{1,5})\b`
const congress = (name: string) => String.raw`(?:,? ?\(?(?<${name}>\d{2,3})(?:st|nd|rd|th)? cong(?:ress|\.)?\)?)`
const bill = ({ chamber = "", congress, dot, kind = "", bill = "", later, number }: Groups): Read => {
  const name = `${chamber}${kind.replace(/[^a-z]/gi, "")}${bill}`.toLowerCase()
  const of = congress ?? later
  // "S. 42" is a bill; "s 42" and "H. 5" are more often something else, unless a Congress is named.
  if (/^h\d/.test(name) || (/^s\d/.test(name) && dot === undefined && of === undefined)) return { keys: [] }
  const named = of === undefined ? [`bill/${name}`] : [`bill/${of}/${name}`, `bill/${name}`]
  return number === undefined
    ? { keys: named }
    : { keys: named.map((one) => `${one}/${number.toLowerCase()}`), within: named }
}

/** Comments stand with the section that they explain. */
const explained = (title: string | undefined, comment: string): ReadonlyArray<string> => [
  ...(title === undefined ? [] : [`cfr/${title}/${comment.toLowerCase()}`]),
  `n/${comment.toLowerCase()}`
]

const books = new RegExp(
  String.raw`(?<!\w)(?:${[...titledCodes, ...numberedCodes].map((one) => one.books).join("|")})`,
  "i"
)

/** How a text may cite. Most texts name no code of a state, and are not searched for any. */
const readersOf = (text: string): ReadonlyArray<Reader> =>
  books.test(text) ? [...ofStates, ...ofNumbers, ...readers] : readers

/** What is more certain comes first. */
const readers: ReadonlyArray<Reader> = [
  ...ofTitles(usc, uscNumber, section, uscKeys),
  ...ofTitles(cfr, cfrNumber, String.raw`(?:${section}|parts?|pts?\.?)`, cfrKeys),
  {
    pattern: new RegExp(String.raw`\b${usualTitle},? ?${cfr},? ?(?:parts?|pts?\.?) ?(?<part>\d+),? ${appendix}`, "gi"),
    read: behindPart
  },
  {
    pattern: new RegExp(
      String.raw`\b${appendix},? (?:to|of) (?:${usualTitle},? ?${cfr},? ?)?(?:part|pt\.?) (?<part>\d+)\b`,
      "gi"
    ),
    read: behindPart
  },
  ...withoutBook,
  {
    pattern: new RegExp(String.raw`\b${publicLaw}(?!\w)(?:,? ${section} ?${actNumber}(?!\w)${paragraph})?`, "gi"),
    read: act
  },
  {
    pattern: new RegExp(String.raw`${section} ?${actNumber}(?!\w)${paragraph},? of (?:the )?${publicLaw}(?!\w)`, "gi"),
    read: act
  },
  {
    pattern: new RegExp(
      String.raw`${billName}(?!\.\d)${congress("congress")}?(?:,? ${section} ?${actNumber}(?!\w)${paragraph})?${congress("later")}?`,
      "gi"
    ),
    read: bill
  },
  {
    pattern: new RegExp(
      String.raw`${section} ?${actNumber}(?!\w)${paragraph},? of (?:the )?${billName}${congress("congress")}?`,
      "gi"
    ),
    read: bill
  },
  {
    pattern:
      /\b(?<volume>\d{1,3}) ?(?:f\. ?r\.|fr|fed\. ?reg\.|federal register),? ?(?:at )?(?<page>\d{1,3}(?:,\d{3})+|\d+)\b/gi,
    read: ({ volume, page = "" }) => ({ keys: [`fr/${volume}/${page.replaceAll(",", "")}`] })
  },
  {
    pattern:
      /\b(?:(?:fr|federal register) )?(?:doc(?:ument|\.)?)(?: (?:no\.?|number))? ?(?<doc>(?:e\d|\d{2,4})-\d{4,6})\b/gi,
    read: ({ doc = "" }) => ({ keys: [`frdoc/${doc.toLowerCase()}`] })
  },
  {
    pattern: /\b(?<volume>\d{1,3}) ?stat\.? ?(?<page>\d{1,3}(?:,\d{3})+|\d+)\b/gi,
    read: ({ volume, page = "" }) => ({ keys: [`stat/${volume}/${page.replaceAll(",", "")}`] })
  },
  {
    pattern: new RegExp(
      String.raw`\bord(?:inance|\.)(?: (?:no\.?|number|#))? ?(?<ordinance>\d{2,4}(?:-\d+)?)\b(?:,? ${section} ?${actNumber}(?!\w)${paragraph})?`,
      "gi"
    ),
    read: ({ number, ordinance = "" }) => {
      const key = `ord/${ordinance.replace(/-0+/, "-")}`
      return number === undefined ? { keys: [key] } : { keys: [`${key}/${number.toLowerCase()}`], within: [key] }
    }
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\d$.,/-])(?:${section} ?)?(?<number>\d{1,4}[a-z]{0,2}(?:[.:-]\d{1,5}[a-z]{0,3})+)(?![\w%$]|[.,-]\d)${paragraph}`,
      "gi"
    ),
    read: ({ number = "" }) => {
      return { keys: isDay(number) ? [] : [`${isDocket(number) ? "frdoc" : "n"}/${number.toLowerCase()}`] }
    }
  },
  {
    pattern: new RegExp(
      String.raw`(?:§{1,2} ?|\b(?:sections?|sect?s?\.?) )(?<number>\d+[a-z]{0,4}(?:-\d+[a-z]?)*)(?!\w|[.]\d)${paragraph}`,
      "gi"
    ),
    read: ({ number = "" }) => ({ keys: [bareKey(number)], isBare: true })
  }
]

const isDay = (number: string): boolean => /^\d{4}-\d\d-\d\d$/.test(number)

/** A document of the Federal Register has such a number, and no code does. */
const isDocket = (number: string): boolean => /^\d{4}-\d{5}$/.test(number)
