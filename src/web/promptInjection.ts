/**
 * Whether a page addresses the machine that reads it: text that asks it to forget its instructions, to answer something
 * else or to reveal what it knows. Requested by `checkPromptInjection`.
 *
 * No model reads the page here, so none can be misled; but a caller who passes the data to a model wants to know.
 */
import { tokenize } from "#page/Tokenizer"

export const findInjection = (html: string): string | undefined => {
  const text = wordsOf(html)
  for (const pattern of patterns) {
    const phrase = pattern.exec(text)?.[0]
    if (phrase !== undefined) return phrase.slice(0, 200)
  }
  return undefined
}

/** All text of the page, hidden or not, without scripts. */
const wordsOf = (html: string): string => {
  let text = ""
  let silent = false
  tokenize(html, {
    foreign: false,
    open: (name) => {
      silent = name === "script" || name === "style"
      text += " "
    },
    close: () => {
      silent = false
    },
    text: (value) => {
      if (!silent && text.length < maxText) text += value
    }
  })
  return text.replaceAll(/\s+/g, " ")
}

const maxText = 2_000_000

const patterns = [
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+|those\s+)?(?:previous|prior|above|earlier|preceding|system|other)\s+(?:instructions?|prompts?|rules|directions|guidelines|context)/i,
  /\b(?:ignore|disregard|forget)\s+(?:everything|all)\s+(?:you\s+(?:were|have\s+been)\s+told|above|before\s+this)/i,
  /\b(?:new|updated|real)\s+(?:system\s+)?instructions?\s*(?:for\s+(?:the\s+)?(?:ai|assistant|model|agent|llm))?\s*:\s*(?:you|ignore|do|from)/i,
  /\b(?:reveal|print|repeat|output|show)\s+(?:me\s+)?(?:your|the)\s+(?:system\s+prompt|hidden\s+instructions|initial\s+instructions)/i,
  /\byou\s+are\s+now\s+(?:in\s+)?(?:dan\b|developer\s+mode|jailbroken|an?\s+unrestricted)/i,
  /<\|im_start\|>|\[\/?INST\]|<<SYS>>/,
  /\b(?:if\s+you\s+are|attention|note\s+to|dear)\s+(?:an?\s+|any\s+|all\s+)?(?:ai|llm|language\s+model|ai\s+(?:assistant|agent|model))s?\b[^.]{0,80}\b(?:must|ignore|instead|respond|output|say)\b/i
]
