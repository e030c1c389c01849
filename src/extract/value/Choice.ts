/**
 * Which of the values that a schema allows a text means: "https://schema.org/InStock", "in stock" and "In-Stock" are all
 * `in_stock`; and what means yes and no.
 *
 * A text means a choice if it has the same words, or if both are known to mean the same; otherwise it means none.
 */
import type { Json, JsonSchema } from "#contract/JsonSchema"

export const choose = (text: string, choices: ReadonlyArray<Json>): Json | undefined => {
  const own = meaning(text)
  if (own.key === "") return undefined
  const exact = choices.find((choice) => choice !== null && meaning(String(choice)).key === own.key)
  if (exact !== undefined) return exact
  if (own.group !== undefined) {
    const same = choices.filter((choice) => choice !== null && meaning(String(choice)).group === own.group)
    return same.length === 1 ? same[0] : undefined
  }
  // "Full time, permanent" says one of the choices and none of the others.
  const words = ` ${keyWords(text)} `
  const within = choices.filter((choice) => choice !== null && words.includes(` ${keyWords(String(choice))} `))
  return within.length === 1 && text.length <= 80 ? within[0] : undefined
}

/** true and false as words; undefined where it is neither. */
export const truth = (text: string): boolean | undefined => {
  const { group, key } = meaning(text)
  if (yes.has(key) || (group !== undefined && groupsOfYes.has(group))) return true
  return no.has(key) || (group !== undefined && groupsOfNo.has(group)) ? false : undefined
}

/** Whether a text is one that stands for a choice and nothing else, and for which: "availability", "employment". */
export const kindOf = (text: string): string | undefined => {
  if (text.length > 60) return undefined
  const { group } = meaning(text)
  return group === undefined ? undefined : kinds[group]
}

interface Meaning {
  readonly key: string
  readonly group: number | undefined
}

const meaning = (text: string): Meaning => {
  const words = keyWords(short(text))
  const key = words.replaceAll(" ", "")
  return { key, group: groupOf.get(key) ?? groupOf.get(key.replace(/^(?:currently|now|hours?|derzeit)/, "")) }
}

/** Addresses of a vocabulary mean their last part. */
const short = (text: string): string => (/^https?:\/\//.test(text) ? (text.split(/[/#]/).at(-1) ?? text) : text)

const keyWords = (text: string): string =>
  text
    .slice(0, 200)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}✓✔✗✘]+/gu, " ")
    .trim()

/** What means the same: kind, whether it is yes or no to that kind, words. */
const meanings: ReadonlyArray<readonly [kind: string, truth: boolean | undefined, words: string]> = [
  [
    "availability",
    true,
    "in stock|available|in stock now|instock|on stock|item in stock|ready to ship|auf lager|lieferbar|verfugbar|vorratig|sofort lieferbar|en stock|disponible|disponibile|en existencia|op voorraad|em estoque|disponivel|in store only|in store|online only|в наличии|有货|有貨|现货|在庫あり|재고 있음|i lager|finns i lager|pa lager|på lager|varastossa|dostepny|w magazynie|na magazynie|skladem|raktaron|in stoc|stokta|stokta var|в наявності|sofort verfugbar|sofort versandfertig|en inventario|متوفر|متاح|متوفر في المخزون|في المخزون|موجود|موجود در انبار|במלאי|קיים במלאי|זמין|זמין במלאי|स्टॉक में|उपलब्ध|स्टॉक में है|มีสินค้า|มีสินค้าในสต็อก|พร้อมส่ง|còn hàng|có sẵn|stok tersedia|tersedia|ready stock|διαθεσιμο|σε αποθεμα|αμεσα διαθεσιμο|স্টকে আছে|limited availability|limited stock|low stock|only a few left"
  ],
  [
    "availability",
    false,
    "out of stock|sold out|unavailable|not available|not in stock|currently unavailable|nicht lieferbar|ausverkauft|nicht verfugbar|nicht vorratig|rupture de stock|epuise|en rupture de stock|indisponible|agotado|sin existencias|no disponible|esaurito|non disponibile|uitverkocht|wyprzedane|wyprzedany|売り切れ|売切れ|售罄|已售罄|niet op voorraad|esgotado|indisponivel|нет в наличии|缺货|缺貨|无货|在庫なし|品切れ|품절|slut i lager|slutsald|udsolgt|utsolgt|ikke pa lager|loppu|loppunut|niedostepny|brak w magazynie|vyprodano|neni skladem|elfogyott|nincs raktaron|stoc epuizat|tukendi|stokta yok|немає в наявності|غير متوفر|غير متاح|نفدت الكمية|نفذت الكمية|ناموجود|تمام شد|אזל מהמלאי|לא במלאי|אזל|स्टॉक में नहीं|स्टॉक समाप्त|अनुपलब्ध|สินค้าหมด|หมด|ไม่มีสินค้า|hết hàng|tạm hết hàng|stok habis|habis|tidak tersedia|μη διαθεσιμο|εξαντληθηκε|εξαντλημενο|স্টক শেষ|discontinued"
  ],
  [
    "availability",
    false,
    "pre order|preorder|presale|pre sale|on order|vorbestellbar|vorbestellung|precommande|preventa"
  ],
  ["availability", false, "back order|backorder|on backorder"],
  [
    "employment",
    undefined,
    "full time|fulltime|full time position|vollzeit|temps plein|tiempo completo|jornada completa|tempo pieno|voltijd|tempo integral"
  ],
  [
    "employment",
    undefined,
    "part time|parttime|teilzeit|temps partiel|tiempo parcial|media jornada|tempo parziale|deeltijd|meio periodo"
  ],
  [
    "employment",
    undefined,
    "temporary|temp|fixed term|befristet|temporaire|cdd|temporal|a tempo determinato|tijdelijk"
  ],
  ["employment", undefined, "contractor|contract|freelance|freiberuflich|independant|autonomo"],
  ["employment", undefined, "intern|internship|praktikum|stage|practicas|tirocinio|estagio"],
  ["employment", undefined, "volunteer|voluntary|ehrenamtlich|benevole|voluntario"],
  ["condition", undefined, "new|new condition|neu|neuf|nuevo|nuovo|nieuw|novo"],
  ["condition", undefined, "used|used condition|second hand|pre owned|gebraucht|occasion|usado|usato|tweedehands"],
  ["condition", undefined, "refurbished|refurbished condition|renewed|generaluberholt|reconditionne"],
  ["event", undefined, "scheduled|event scheduled"],
  ["event", undefined, "cancelled|canceled|event cancelled|abgesagt|annule|cancelado"],
  ["event", undefined, "postponed|event postponed|verschoben|reporte"],
  ["force", true, "in force|legal force in force|in kraft|en vigueur|en vigor|in vigore"],
  ["force", false, "not in force|legal force not in force|repealed|expired|aufgehoben|abroge|derogado"],
  ["force", undefined, "partially in force|legal force partially in force"]
]

const kinds = meanings.map(([kind]) => kind)
const groupOf = new Map(
  meanings.flatMap(([, , words], group) =>
    words.split("|").map((word) => [keyWords(word).replaceAll(" ", ""), group] as const)
  )
)
const groupsWith = (wanted: boolean) =>
  new Set(meanings.flatMap(([, truth_], group) => (truth_ === wanted ? [group] : [])))
const groupsOfYes = groupsWith(true)
const groupsOfNo = groupsWith(false)
/** Words of a cell that says yes or no. */
const setOf = (words: string) => new Set(words.split(" ").map((word) => keyWords(word) || word))
const yes = setOf(
  "true yes y on 1 ja oui si sim da ✓ ✔ included inclusive enabled tak ano да так ναι evet var نعم כן بله हाँ ใช่ มี 有 あり 是 예 네 có ya kyllä igen jo"
)
const no = setOf(
  "false no n off 0 nein non nee nao ✗ ✘ none excluded disabled nie ne нет ні όχι hayır yok لا לא خیر नहीं ไม่ใช่ ไม่มี 無 无 なし 否 아니오 아니요 không tidak nej nei ei nem"
)

/** What a schema wants of one value, and what a value of a page comes to as that. */
export interface Expected {
  /** Resolved; several where the schema leaves a choice, the first that fits wins. */
  readonly schemas: ReadonlyArray<JsonSchema>
  /** What its name means: dates of a plain string are given as ISO too. */
  readonly kind: Kind
  /** The unit that its name ends in. */
  readonly unit?: string
  /** The currency that its name ends in, as ISO code. */
  readonly currency?: string
  /** Whether a sum of nothing is meant as it stands, as the cost of a delivery is. */
  readonly mayBeZero?: boolean
  /** Whether it is what a person or an organisation is called. */
  readonly isCalled?: boolean
  /** Whether its name says what is not so: `sold_out`. */
  readonly isDenied?: boolean
}

export type Kind = "text" | "money" | "currency" | "number" | "date" | "url" | "email" | "phone" | "status" | "duration"

export interface Fit {
  readonly json: Json
  /** From 0 to 1: 1 where the value says that and nothing else. */
  readonly fit: number
}
