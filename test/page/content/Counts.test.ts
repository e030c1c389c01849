import { expect, test } from "vitest"
import { Counts } from "#page/content/Counts"
import { defaults, parse } from "#page/Page"

const countsOf = (...texts: ReadonlyArray<string>): Counts => {
  const counts = new Counts()
  let inWord = false
  for (const text of texts) inWord = counts.add(text, false, inWord)
  return counts
}

test("words, marks, digits and signs of money are counted", () => {
  const { chars, commas, digits, money, stops, uppers, words } = countsOf("Tea, 12 cups: €3.")
  expect({ chars, commas, digits, money, stops, uppers, words }).toEqual({
    chars: 14,
    commas: 1,
    digits: 3,
    money: 1,
    stops: 2,
    uppers: 1,
    words: 4
  })
})

test("a word that tags cut in two is one word", () => {
  expect(countsOf("Mill", "race runs").words).toBe(2)
  expect(countsOf("don't rock’n’roll").words).toBe(2)
})

test("scripts without blanks have a word for two characters", () => {
  expect(countsOf("日本語の文章。").words).toBe(3)
  expect(countsOf("한국어 문장").words).toBe(2)
})

test("text in links is counted apart", () => {
  const counts = new Counts()
  counts.add("read ", false, false)
  counts.add("more", true, false)
  expect([counts.linkWords, counts.linkChars, counts.linked]).toEqual([1, 4, 0.5])
})

/** How a script writes: its letters, how many of them say as much as an English word, and its marks. */
interface Script {
  readonly letters: string
  readonly perWord: number
  readonly blank: string
  readonly comma: string
  readonly stop: string
}

const scripts: Record<string, Script> = {
  Latin: { letters: "etaoinshrdlu", perWord: 5, blank: " ", comma: ", ", stop: ". " },
  Cyrillic: { letters: "оеаинтсрвлкм", perWord: 5, blank: " ", comma: ", ", stop: ". " },
  Arabic: { letters: "اليمونرتبةعد", perWord: 5, blank: " ", comma: "، ", stop: ". " },
  Devanagari: { letters: "कमनरतसलपहवदय", perWord: 5, blank: " ", comma: ", ", stop: "। " },
  Hangul: { letters: "이다는에의가로하지고사", perWord: 2.3, blank: " ", comma: ", ", stop: ". " },
  Chinese: { letters: "的一是在不了有和人这中大", perWord: 1.7, blank: "", comma: "，", stop: "。" },
  Japanese: { letters: "のにはをたがでてとしれさ", perWord: 3.3, blank: "", comma: "、", stop: "。" },
  Thai: { letters: "านรอกเงมยลวด", perWord: 5, blank: "", comma: "", stop: " " },
  Khmer: { letters: "កនរតបសលមងយវដ", perWord: 5, blank: "", comma: "", stop: "។ " },
  Myanmar: { letters: "ကနရတပသလမငယဝဒ", perWord: 5, blank: "", comma: "၊ ", stop: "။ " }
}

/** A text with a number of words. The same place in a page has the same seed. */
const textOf = ({ blank, comma, letters, perWord, stop }: Script, words: number, seed: number, isSentence: boolean) => {
  const written: Array<string> = []
  let letter = seed
  let owed = 0
  for (let i = 1; i <= words; i++) {
    let word = ""
    for (owed += perWord; owed >= 1; owed--) word += Array.from(letters)[(letter = (letter * 7 + 3) % 11)] ?? ""
    const mark = isSentence && i % 12 === 0 ? stop : isSentence && i % 6 === 0 ? comma : blank
    written.push(i === words ? word + (isSentence ? stop.trim() : "") : word + mark)
  }
  return written.join("")
}

/** A page of news. Every block has a number, so that what is kept can be compared. */
const pageOf = (script: Script): string => {
  let block = 100
  const say = (words: number, isSentence = false): string =>
    `<b>${++block}</b> ${textOf(script, words, block % 11, isSentence)}`
  const links = (count: number, words: number): string =>
    `<ul>${Array.from({ length: count }, () => `<li><a href="/${block}">${say(words)}</a></li>`).join("")}</ul>`
  return `<!doctype html><html><head><meta charset=utf-8></head><body>
<div class=top>${links(12, 1)}</div>
<div class=story><h1>${say(9)}</h1>${Array.from({ length: 9 }, (_, i) => `<p>${say(30 + 7 * i, true)}</p>`).join("")}</div>
<div class=rank><h3>${say(2)}</h3>${links(10, 9)}</div>
<div class=end>${links(8, 2)}<p>${say(6)}</p></div></body></html>`
}

const keptOf = (script: Script): ReadonlyArray<string> => {
  const { markdown = "" } = parse(
    { url: "https://news.test/a", body: Buffer.from(pageOf(script)), contentType: "text/html" },
    defaults
  )
  return markdown.match(/\b1\d\d\b/g) ?? []
}

test("the same article in any script has the same main content: the story, and not the lists around it", () => {
  const story = Array.from({ length: 10 }, (_, i) => String(113 + i))
  for (const [name, script] of Object.entries(scripts)) expect([name, keptOf(script)]).toEqual([name, story])
})

test("texts that say as much have about the same counts in any script", () => {
  for (const [name, script] of Object.entries(scripts)) {
    const counts = new Counts()
    counts.add(textOf(script, 120, 1, true), false, false)
    const isNear = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= wanted * 0.15
    expect([name, counts.words, isNear(counts.words, 120)]).toEqual([name, counts.words, true])
    expect([name, counts.chars, isNear(counts.chars, 615)]).toEqual([name, counts.chars, true])
    expect([name, counts.stops]).toEqual([name, name === "Thai" ? 9 : 10])
  }
})
