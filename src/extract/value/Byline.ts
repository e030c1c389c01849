/**
 * Who wrote it: the names in a line like "By Ada Lovelace and Charles Babbage, March 3, 2026 · 5 min read".
 *
 * A name is words, and not a sentence, a date, an address, a title, an office or what a button says. What stands behind
 * the first name is another name only where it is written as names of people are: "Ada Stone, AP Science Writer" and "Ada
 * Stone | Valley News" name one. Who reviewed or photographed it did not write it. A line without a name gives none.
 */
import { isWeekday, monthOf } from "./Months.ts"

/** The names of a byline, in its order. */
export const authorsIn = (line: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  const own = line.slice(0, maxLine).split(others, 1)[0] ?? ""
  let at = 0
  let mark = ""
  for (const cut of [...own.matchAll(between), undefined]) {
    const name = cleaned(own.slice(at, cut?.index ?? own.length))
    if (isName(name) && !names.includes(name) && (names.length === 0 || isPerson(name, mark))) names.push(name)
    at = (cut?.index ?? 0) + (cut?.[0].length ?? 0)
    mark = cut?.[0].trim() ?? ""
  }
  const [first, second] = names
  // "CM" of "Craig McCarthy" stands for his picture.
  return first !== undefined && second !== undefined && isInitials(first, second) ? names.slice(1) : names
}

/** Whether a line says that names follow. */
export const isLed = (line: string): boolean => lead.test(line)

/** Whether a text says that a name follows, and nothing else: "by" before a link. */
export const isLead = (text: string): boolean => leadAlone.test(text)

/** Whether a name is written as those of people are, in two words or more, and not as that of a firm. */
export const isOfPerson = (name: string): boolean => /\s/.test(name) && isPerson(name, "")

/** Whether a text could be what somebody is called: also one word, as in forums. */
export const isCalled = (text: string): boolean =>
  text.length >= 2 && text.length <= 40 && /\p{L}/u.test(text) && !/[\s@/:]|https?/.test(text) && !silent.test(text)

const maxLine = 300

/** What begins the part of a line that names who else had to do with it. */
const others =
  /(?<!\p{L})(?:(?:medically |clinically |fact[- ]?|peer[- ])?(?:reviewed|checked|edited|verified|approved|updated|translated|illustrated|photographed|sponsored)|photos?|photographs?|photography|images?|illustrations?|video|graphics)\s+by(?!\p{L})|(?<!\p{L})(?:last (?:edited|updated|modified|reviewed)|published(?: on| by|:)|posted on|updated(?: on|:)|on behalf of|geprüft von|fotos? von|relu par|photos? de)(?!\p{L})/iu

/** What stands between two names. */
const between =
  /\s*(?:,\s(?:and|und|et|y|e|och|og)\s|[,;|•·\n/»]|\s&\s|\s(?:and|AND|und|UND)\s|\set\s|\sy\s|\se\s|\sen\s|\soch\s|\si\s|\swith\s|\smit\s|\savec\s|\scon\s|、|，|\s[-–—]\s|[-–—]\s(?=\d)|\s(?:in|for|on|at)\s(?=\p{Lu}|\d))\s*/gu

/** What stands before one. */
const lead =
  /^\s*(?:(?:(?:written|posted|reported|story|stories|words|text|article|guest post|blog|created|submitted|started|contributed|geschrieben|verfasst|veröffentlicht|écrit|rédigé|publié|escrito|publicado|scritto|pubblicato|geschreven|skrevet|skriven)\s+)?(?:by|von|par|por|di|da|door|av|af|przez)(?![\p{L}'’])|insights from|words|recipe|originally published|guide|(?:the )?(?:authors?|autor(?:in|en|es|a|as)?|auteure?s?|autore|autrice|writers?|contributors?|byline|forfatter|författare|schrijver|redakteur(?:in)?|thread starter|topic author|作者|記者|记者|著者|筆者|投稿者|撰文|編輯|编辑|文|글쓴이|기자|작성자|автор|بقلم|الكاتب(?:ة)?|كتبت?|نویسنده|נכתב על ידי|מאת|लेखक|लेखिका|লেখক|প্রতিবেদক|ผู้เขียน|โดย|tác giả|oleh|penulis|συντάκτης))\s*[:：]?(?:\s+|$|(?<=[:：者文輯辑자]))/iu

/** "Sold by" and "powered by" name no author. */
const leadAlone =
  /^[\s|·•,–—-]*(?:(?:written|posted|submitted|created|started|geschrieben|verfasst|écrit|publié|escrito|publicado)\s+)?(?:by|von|par|por|door)\s*:?\s*$/i

/** "MD" behind a name; an agency's letters may stand alone. */
const degree = /^(?:\p{Lu}{2,6}|Ph\.?\s?D|M\.?D|R\.?D|Esq|Jr|Sr|\p{Lu}(?:\.\p{Lu}){1,4})\.?$/u

const cleaned = (part: string): string => {
  // "ByAda Stone" has lost its blank.
  let name = part.trim().replace(/^By(?=\p{Lu}\p{Ll})/u, "")
  for (let turn = 0; turn < 2; turn++) name = name.replace(lead, "").trim()
  return name
    .replace(/\s*[([].*$/, "")
    .replace(/(?<=\p{Script=Hangul})\s?기자$/u, "")
    .replace(
      /\s+(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d.*|\d+\s*(?:min|h|hours?|days?|months?|years?)\b.*)$/iu,
      ""
    )
    .replaceAll(/^[\s:.•·–—~*"“”'‘’-]+|[\s:•·–—~*"“”'‘’-]+$/g, "")
}

const isName = (text: string): boolean =>
  text.length >= 2 &&
  text.length <= 60 &&
  /\p{L}/u.test(text) &&
  !/\d|@|https?:|\.(?:com|org|net)\b|[?!<>{}=©®]/i.test(text) &&
  text.split(/\s+/).length <= 6 &&
  !role.test(text) &&
  !silent.test(text) &&
  !isOfDate(text) &&
  !/\w\.\w+\.\w/.test(text)

/**
 * Behind another name a name has as many words as people have, each with a capital, or is in letters without capitals; it
 * has one word only behind "and".
 */
const isPerson = (text: string, mark: string): boolean => {
  const words = text.split(/\s+/)
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)) return true
  if (degree.test(text) || ofFirm.test(text) || /^the\s/i.test(text)) return false
  if (words.length === 1) return /^(?:&|(?:,\s)?\p{L}+)$/u.test(mark)
  return words.length <= 5 && words.every((word) => /^[\p{Lu}'’]/u.test(word) || particle.test(word))
}

const particle = /^(?:de|da|di|del|della|der|den|des|do|dos|du|la|le|van|von|bin|ibn|al|el|y|e|ten|ter|zu)$/i

const isInitials = (short: string, name: string): boolean =>
  /^\p{Lu}{2,3}$/u.test(short) &&
  name
    .split(/[\s-]+/)
    .map((word) => word.charAt(0))
    .join("")
    .startsWith(short.slice(0, 2))

/** "Sat", "December": what is left of a date. */
const isOfDate = (text: string): boolean =>
  text.split(/\s+/).every((word) => monthOf(word, undefined) !== undefined || isWeekday(word, undefined))

/** What a person is, and not who. */
const role =
  /(?<!\p{L})(?:writer|editor|reporter|correspondent|journalist|columnist|contributor|photographer|producer|redakteur(?:in)?|rédact(?:eur|rice)|redactor(?:a)?|periodista|giornalista|director|manager|president|founder|co-founder|ceo|cto|cmo|coo|head of|chief|former|professor of|lecturer|expert|specialist|attorney|analyst|consultant|dietitian|nutritionist|coach|intern|engineer|coordinator|strategist|designer|developer|advisor|adviser|counsell?or|psychologist|therapist|physician|nurse|trainer|winemaker|grader|owner|officer|marketer|super user|premium|vice|associate|assistant|principal|member type|language|location|joined|messages|points|min read|minutes? read|read time|words|comments?|views?|badges?|shares?)s?(?!\p{L})/iu

const ofFirm =
  /(?<!\p{L})(?:news|newsroom|newsdesk|media|magazine|times|press|agency|inc|llc|ltd|gmbh|university|institute|clinic|college|foundation|association|group|team|staff|blog|department|today|journal|post|society|center|centre|network|official|company|hardware|software|technology|services?|solutions?|hotels?|internet|policy|categor(?:y|ies)|uncategorized|workshop|forms?|club|store|shop|school|council|commission|editors?)(?!\p{L})/iu

/** What stands in such lines and names nobody. */
const silent =
  /^(?:by|and|the author|author|authors|about(?: the authors?)?|about me|post|posts|posted|posted by|written|written by|offline|online|wrote on|wrote|op|topic author|thread starter|sign in|log in|login|register|subscribe|follow.*|visit.*|view.*|see .*|read .*|learn .*|get in touch|contact.*|share.*|name|admin|administrator|webmaster|web ?team|undefined|null|none|unknown|n\/a|anonymous|guest|user|member|staff|editorial|reply|home|more|menu|search|save|print|email|loading.*|authorized dealer|expert reviewer|reviewed|updated|published|advertisement|sponsored|submitted on.*|all rights reserved|website|taboola|outbrain|facebook|twitter|linkedin|instagram|x|rss)$/iu
