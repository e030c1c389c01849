/**
 * Sentences from templates: `The {place} mill [opened|reopened] in {year}.`
 *
 * `[a|b]` is one of the choices, `{name}` a word of the vocabulary or of the given words, `{3-40}` a number between the two.
 */
import type * as Dice from "./Dice.ts"
import { vocabulary } from "./vocabulary.ts"

type Words = Readonly<Record<string, string>>

/** One sentence of a template. */
export const sentence = (dice: Dice.Dice, template: string, words: Words = {}): string =>
  template
    .replaceAll(/\[([^\]]*)\]/g, (_, choices: string) => {
      const [first = "", ...others] = choices.split("|")
      return dice.pick([first, ...others])
    })
    .replaceAll(/\{(\d+)-(\d+)\}/g, (_, least: string, most: string) => String(dice.int(Number(least), Number(most))))
    .replaceAll(/\{([a-z]+)\}/g, (written, name: string) => {
      const list = vocabulary[name]
      return words[name] ?? (list === undefined ? written : dice.pick(list))
    })

/** Some sentences of a pool, no template twice, each beginning with a capital. */
export const paragraph = (dice: Dice.Dice, pool: ReadonlyArray<string>, sentences: number, words: Words = {}): string =>
  dice
    .sample(pool, sentences)
    .map((template) => capital(sentence(dice, template, words)))
    .join(" ")

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What a name is in an address: "Copper Ridge 3" is "copper-ridge-3". */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
