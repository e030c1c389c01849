/**
 * Currencies: the ISO code that a sign, a word or a code means.
 *
 * A sign that several countries share means the currency that the page names, else the default of the sign ($, £, ¥),
 * else none: "kr" alone is not a currency.
 */

/** A currency as it stands in a text. */
export interface Mark {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** All marks of a text in their order. */
export const all = (text: string): ReadonlyArray<Mark> => {
  const found: Array<Mark> = []
  let inWord = false
  for (let at = 0; at < text.length && found.length < 16; at++) {
    const char = text.charAt(at)
    const isOfWord = isLetter(char)
    const some =
      isOfWord && inWord && !(unspaced.has(char) && afterSum.test(text.slice(0, at))) ? undefined : marks.get(char)
    inWord = isOfWord
    const mark = some?.find((one) => text.startsWith(one, at) && isEdged(text, one, at))
    if (mark === undefined) continue
    found.push({ text: mark, from: at, to: at + mark.length })
    at += mark.length - 1
    inWord = isLetter(mark.charAt(mark.length - 1))
  }
  return found
}

/**
 * Words want an edge, so that "kr" is not in "krone"; a code wants a number or a sign beside, or the text for itself. What
 * is a word too, "TOP 10", "ALL 5 colours", wants to end a sum, "5 ALL", or a sum with cents behind: "ALL 5.00".
 */
const isEdged = (text: string, mark: string, at: number): boolean => {
  const end = at + mark.length
  const before = text.slice(Math.max(0, at - 3), at)
  const behind = text.slice(end, end + 24)
  if (capital.test(mark) && !/[\d\p{L}.,–-]\s?$/u.test(before) && !/^\s\d[\d.]*,\d\d(?!\d)/.test(behind)) return false
  if (unspaced.has(mark.charAt(0)) && afterSum.test(text.slice(Math.max(0, at - 8), at))) return true
  if (isWord.has(mark) || codes.has(mark)) {
    const isAlone = text.trim().length === mark.length
    const isBehind = /\d[\s\u00a0\u202f]?$/.test(before)
    if (words.has(mark.toUpperCase())) {
      const isLast = isBehind && /^\s*(?:[.,;:)*/|+-]|$)/.test(behind)
      if (!isAlone && !isLast && !/^[\s:\u00a0]{0,2}\d[\d.,]*[.,]\d\d(?!\d)/.test(behind)) return false
    } else if (!isAlone && !isBehind && !beside.test(behind) && !/[\p{Sc}(][\s]?$|[:-]\s?$/u.test(before)) return false
  }
  return end >= text.length || !isLetter(mark.charAt(mark.length - 1)) || !isLetter(text.charAt(end))
}

const beside = /^[\s:\u00a0\u202f]{0,3}(?:[\d\p{Sc}]|[A-Z]{0,2}\$|[.,]\d)|^\s[-−]\s?\d|^\)|^\s?\/\s?\p{L}/u

/** The first letters of what stands behind a sum without a blank: "12.8万円", "15만원", "350万元起", "2 ล้านบาท". */
const unspaced: ReadonlySet<string> = new Set("円元圆圓원บ")
const afterSum = /(?:[\d０-９][千万萬億亿천만억조兆百]{0,2}|ล้าน|แสน|หมื่น|พัน)\s?$/u
/** "12,50 Euro" is a sum, "Euro 6" a norm. */
const capital = /^Euros?$|^EURO$/

const isLetter = (char: string): boolean => {
  const code = char.charCodeAt(0)
  return code < 128 ? (code > 64 && code < 91) || (code > 96 && code < 123) : letter.test(char)
}

const letter = /\p{L}/u

/** The ISO code; `page` is the code that the page itself names, which decides about shared signs. */
export const codeOf = (mark: string, page?: string): string | undefined => {
  const plain = mark.trim().replaceAll(/\s+/g, "")
  const upper = plain.toUpperCase()
  if (codes.has(upper) && (plain === upper || !words.has(upper))) return upper
  const means = bySign.get(plain) ?? bySign.get(plain.toLowerCase().replace(/\.$/, "")) ?? bySign.get(upper)
  if (means === undefined) return undefined
  return page !== undefined && means.includes(page) ? page : own.has(plain) || means.length === 1 ? means[0] : undefined
}

/** Sums in these have three digits behind the point: "423.923 KD". */
export const hasMills = (mark: string): boolean => mills.has(codeOf(mark) ?? bySign.get(mark)?.[0] ?? "")

/** Whether a mark means one currency everywhere. */
export const meansOne = (mark: string): boolean => bySign.get(mark)?.length === 1

export const isCode = (text: string): boolean => codes.has(text)

/*
 * The signs and words of currencies. This is the only place for such words. A low line stands for the blank of a sign of
 * two words.
 */

/** What a sign may mean; the first is what it means by itself where `own` has it. */
const signs: ReadonlyArray<readonly [codes: string, signs: string]> = [
  ["EUR", "€ euro euros Euro Euros EURO eur. ευρώ €uro евро יורו یورو يورو 欧元 歐元 ユーロ 유로"],
  ["GBP EGP LBP SYP GIP FKP SHP", "£ ￡ ₤ pound pounds"],
  ["GBP", "stg quid GBp"],
  ["USD CAD AUD NZD SGD HKD MXN ARS CLP COP UYU TWD BBD BSD BZD DOP JMD NAD TTD XCD", "$ dollar dollars dólares ＄"],
  ["USD", "US$ $US U$S U$D u$s US$. U$ 美元 美金 米ドル"],
  ["CAD", "CA$ C$ CAN$ CDN$ $CA CND CAD$"],
  ["AUD", "AU$ A$ $AU AUD$"],
  ["NZD", "NZ$ NZD$"],
  ["SGD", "S$ SG$"],
  ["HKD", "HK$ $HK 港元 港币 港幣"],
  ["TWD", "NT$ NT 新台币 新台幣 新臺幣 台幣 臺幣"],
  ["MXN", "MX$ Mex$ M.N. MXN$"],
  ["ARS", "AR$"],
  ["CLP", "CLP$"],
  ["COP", "COL$ COP$"],
  ["UYU", "$U"],
  ["BRL", "R$ reais"],
  ["JMD", "J$"],
  ["TTD", "TT$"],
  ["BBD", "Bds$"],
  ["NAD", "N$"],
  ["GYD", "G$ GY$"],
  ["JPY CNY", "¥ ￥"],
  ["JPY", "円 JP¥ yen 日元 日圓"],
  ["CNY", "元 RMB CN¥ 人民币 人民幣 圆 圓 yuan"],
  ["KRW KPW", "₩ 원"],
  ["INR PKR LKR NPR MUR SCR", "Rs Rs. ₨ rupees Re रु र रु."],
  ["INR", "₹ INR."],
  ["LKR", "ரூ රු"],
  ["RUB BYN", "₽ руб руб. р. р Р Р. рублей рубля рубль RUR Rbl"],
  ["UAH", "₴ грн грн. гривен гривень hrn"],
  ["KZT", "₸ тг тг. тенге"],
  ["PLN", "zł zl ZŁ Zł złotych"],
  ["CZK", "Kč Kc kč Kč. korun"],
  ["HUF", "Ft forint"],
  ["RON MDL", "lei leu Lei LEI"],
  ["BGN", "лв лв. lv"],
  ["RSD MKD", "din дин din. дин. РСД dinara Dinara"],
  ["BAM", "KM км"],
  ["SEK NOK DKK ISK", "kr kr. Kr Kr. :-"],
  ["CHF", "SFr SFr. Fr. sFr Fr.– CHf Franken"],
  ["TRY", "₺ TL lira"],
  ["ILS", "NIS ₪ ש״ח ש\"ח ש'ח ש.ח nis"],
  ["VND", "₫ đ Đ VNĐ vnđ đồng"],
  ["THB", "฿ บาท baht"],
  ["IDR", "Rp Rp."],
  ["MYR", "RM"],
  ["PHP", "₱ Php"],
  ["ZAR", "R"],
  ["NGN", "₦"],
  ["KES", "KSh Ksh KShs"],
  ["KES UGX TZS", "Sh"],
  ["GHS", "GH₵ GH¢ ₵"],
  ["AED", "د.إ د.إ. درهم_إماراتي"],
  ["AED MAD", "Dhs Dh dhs درهم DH"],
  ["SAR", "ر.س ر.س. ريال_سعودي"],
  ["OMR", "ر.ع ر.ع. ريال_عماني"],
  ["QAR", "ر.ق ر.ق. ريال_قطري"],
  ["YER", "ر.ي ر.ي. ريال_يمني"],
  ["SAR QAR OMR YER IRR", "ريال SR ﷼"],
  ["EGP", "جنيه جنيه_مصري LE ج.م ج.م."],
  ["SDG", "ج.س. ج.س"],
  ["KWD", "KD د.ك دينار_كويتي"],
  ["BHD", "BD د.ب دينار_بحريني"],
  ["JOD", "JD د.أ د.ا دينار_أردني"],
  ["TND", "DT د.ت دينار_تونسي"],
  ["DZD", "DA د.ج دينار_جزائري"],
  ["IQD", "ID د.ع دينار_عراقي"],
  ["LYD", "LD د.ل دينار_ليبي"],
  ["KWD BHD JOD IQD TND LYD DZD", "دينار"],
  ["MAD", "د.م درهم_مغربي"],
  ["IRT", "تومان Toman"],
  ["IRR", "ریال"],
  ["LBP", "ل.ل"],
  ["SYP", "ل.س"],
  ["GEL", "₾ ლარი lari"],
  ["AMD", "֏ դր"],
  ["PYG", "₲ Gs. Gs"],
  ["CRC", "₡"],
  ["PEN", "S/ S/."],
  ["BOB", "Bs. Bs"],
  ["VES", "Bs.F. Bs.S BsF"],
  ["GTQ", "Q"],
  ["XOF XAF", "FCFA CFA"],
  ["ETB", "Br"],
  ["ALL", "Lek Lekë"],
  ["BDT", "৳ Tk"],
  ["MMK", "Ks"],
  ["UZS", "so'm Sʻ S' som сум"],
  ["BTC", "Ƀ ₿ BTC"],
  ["FRF", "₶"],
  ["CVE", "Esc"],
  ["HRK", "kn"],
  ["BZD", "BZ$"],
  ["DOP", "RD$"],
  ["PAB", "B/."],
  ["KHR", "៛"],
  ["LAK", "₭"],
  ["MNT", "₮"],
  ["AZN", "₼"],
  ["AFN", "؋"],
  ["UGX", "USh"],
  ["TZS", "TSh"],
  ["MVR", "Rf"],
  ["VUV", "VT Vt"]
]

/** What each means by itself, where several countries share it. */
const own: ReadonlySet<string> = new Set([
  "$",
  "£",
  "￡",
  "¥",
  "￥",
  "₩",
  "₹",
  "₽",
  "＄",
  "руб",
  "руб.",
  "dollars",
  "pounds",
  "TL",
  "원",
  "Dhs"
])

const written = signs.flatMap(([, list]) => list.split(" ").map((sign) => sign.replaceAll("_", " ")))

const bySign = new Map<string, ReadonlyArray<string>>()
for (const [means, list] of signs) {
  for (const sign of list.split(" ")) {
    const plain = sign.replaceAll("_", "")
    if (!bySign.has(plain)) bySign.set(plain, means.split(" "))
  }
}

const mills = new Set(["KWD", "BHD", "OMR", "TND", "JOD", "LYD", "IQD"])

/** Codes that stand by themselves in texts, those of old money too. */
const codes = new Set([
  ...Intl.supportedValuesOf("currency"),
  ..."DEM FRF ITL ESP PTE NLG ATS BEF FIM IEP GRD BTC".split(" ")
])

/** Codes that stand on pages as other things more often than as money. */
const words: ReadonlySet<string> = new Set(
  "ALL ANG BAM BOB COP CUP DOP GEL LAK MAD MOP PEN RON SOS TOP TRY XTS XXX".split(" ")
)

/** Codes that stand for money wherever they stand beside a number. */
export const plainCodes: ReadonlyArray<string> = [
  ...Intl.supportedValuesOf("currency").filter((code) => !words.has(code)),
  "RON",
  "TRY"
]

const isWord: ReadonlySet<string> = new Set([
  ...Array.from(codes, (code) => code.toLowerCase()),
  ..."R Q ID NT BD DA DT LD JD LE SR RM KM Re Br Ks Sh Sl Esc pound pounds".split(" ")
])

/** Signs, words and codes by their first character, longest first. */
const marks: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const small = Array.from(codes, (code) => code.toLowerCase())
  const texts = [...new Set([...written, ...codes, ...small, "AU $", "US $", "CA $", "NZ $"])]
  const found = Map.groupBy(texts, (text) => text.charAt(0))
  for (const some of found.values()) some.sort((a, b) => b.length - a.length)
  return found
})()
