/**
 * Summarises a page without a model: by its own most significant sentences, in their order.
 *
 * The words of the text are counted; short words do not count, because the most common words are short, except in
 * scripts such as Chinese, where one letter may be a word. A sentence is worth the mean weight of its words, more near
 * the beginning of the page and less if it is very short or very long. The best few are returned unchanged. The same
 * text always has the same summary.
 */
export const summarize = (markdown: string, language: string | undefined): string => {
  const locale = localeOf(language)
  const sentences = sentencesOf(plainText(markdown), locale)
  if (sentences.length <= wanted) return sentences.join(" ")
  const words = new Intl.Segmenter(locale, { granularity: "word" })
  const bags = sentences.map((sentence) => wordsOf(sentence, words))
  const counts = new Map<string, number>()
  for (const bag of bags) for (const word of new Set(bag)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const worth = bags.map((bag, i) => {
    if (bag.length === 0) return 0
    let sum = 0
    for (const word of bag) sum += Math.log(1 + (counts.get(word) ?? 0))
    const length = (sentences[i] ?? "").length
    const fits = length < 40 ? 0.5 : length > 400 ? 0.4 : 1
    return (sum / Math.sqrt(bag.length + 4)) * fits * (1 + 2 / (1 + i))
  })
  const best = worth
    .map((value, i) => ({ value, i }))
    .sort((a, b) => b.value - a.value || a.i - b.i)
    .slice(0, wanted)
    .map(({ i }) => i)
    .sort((a, b) => a - b)
  return best.map((i) => sentences[i]).join(isDense(sentences.join("")) ? "" : " ")
}

const wanted = 3

/** Of a very long page, only the beginning is read. */
const maxText = 100_000

const maxSentences = 600

/** The paragraphs, without headings, code, tables, pictures and marks. */
const plainText = (markdown: string): string =>
  markdown
    .slice(0, maxText)
    .replaceAll(/^(`{3,})(?!`)[^\n]*\n[\s\S]*?(?:^\1`*$|(?![\s\S]))/gm, "")
    .split(/\n{2,}/)
    .filter((block) => !/^\s*(?:#{1,6} |\||---|!\[)/.test(block))
    .map((block) =>
      block
        .replaceAll(picture, "")
        .replaceAll(link, "$1")
        .replaceAll(/^[^\S\n]*(?:>|[-*+]|\d+\.)\s+/gm, "")
        .replaceAll(/\*\*|__|`|(?<!\\)[*_]/g, "")
        .replaceAll(/\\(?=[^\w\s])/g, "")
        .replaceAll(/\s+/g, " ")
        .trim()
    )
    .filter((block) => block !== "")
    .join("\n")

// A match ends before the next bracket opens, so brackets that are never closed cost no more than letters.
const picture = /(?<!\\)!\[(?:[^[\]\\]|\\.)*\]\((?:(?!\]\()[^)\s])*\)/g

const link = /(?<!\\)\[((?:[^[\]\\]|\\.)*)\]\((?:(?!\]\()[^)\s])*\)/g

/** A block without closing punctuation is a label or a menu, not a sentence; if no block has any, all blocks count. */
const sentencesOf = (text: string, locale: string | undefined): ReadonlyArray<string> => {
  const segmenter = new Intl.Segmenter(locale, { granularity: "sentence" })
  const all = text
    .split("\n")
    .flatMap((block) => Array.from(segmenter.segment(block), ({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== "")
    .slice(0, maxSentences)
  const ended = all.filter((sentence) => /[.!?…。!?।؟]["'”’)\]」』]*$/u.test(sentence))
  return ended.length > 0 ? ended : all.slice(0, wanted)
}

const wordsOf = (sentence: string, segmenter: Intl.Segmenter): ReadonlyArray<string> => {
  const words: Array<string> = []
  for (const { segment, isWordLike } of segmenter.segment(sentence)) {
    if (isWordLike !== true || (segment.length < 4 && !dense.test(segment))) continue
    words.push(segment.toLowerCase())
  }
  return words
}

/** Scripts without spaces, where one letter may be a word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const isDense = (text: string): boolean => dense.test(text.slice(0, 200)) && !/\w{4}/.test(text.slice(0, 200))

/** The page's language, if it is a valid language tag. */
const localeOf = (language: string | undefined): string | undefined => {
  if (language === undefined) return undefined
  try {
    return Intl.getCanonicalLocales(language)[0]
  } catch {
    return undefined
  }
}
