/** The keys that find a section: its citations in all forms, its number, and the texts that contain it. */

import type { GovSection } from "../GovText.ts"
import * as Citation from "../text/Citation.ts"

export interface SectionKey {
  readonly key: string
  /** 1: the key names this section; 0: it names a text that contains the section. */
  readonly is_exact: 0 | 1
}

export const keysOf = (section: GovSection): ReadonlyArray<SectionKey> => {
  const { alsoCited, citation, document, identity, number, path, status } = section
  const cited = [citation, ...alsoCited].flatMap((text) =>
    Citation.find(text).map((one) => ({ ...one, isWhole: restOf(text, one.end) === "" }))
  )
  const whole = cited.filter(({ isBare, isWhole }) => isWhole && !isBare)
  const numbers = [Citation.bareKey(number), `n/${number.toLowerCase()}`]
  // An interpretation has the number of the section that it explains, but the number means the section.
  const isGuidance = status === "guidance"
  const exact = [
    `id/${identity}`,
    ...[citation, ...alsoCited].map(Citation.wholeKey),
    ...(isGuidance ? [] : numbers),
    ...wholeOf(identity),
    ...whole.flatMap(({ keys }) => keys)
  ]
  const around = path
    .flatMap((step) => /\b\d+[a-z]?(?:\.\d+[a-z]?)+/i.exec(step) ?? [])
    .map((found) => `n/${found.toLowerCase()}`)
  const within = [`id/${document}`, ...cited.flatMap(({ keys, within }) => [...keys, ...within]), ...around]
  const keys = new Map<string, 0 | 1>([
    ...[...within, ...numbers].map((key) => [key, 0] as const),
    ...exact.map((key) => [key, 1] as const)
  ])
  return [...keys].map(([key, is_exact]) => ({ key, is_exact }))
}

/** A whole number in the code of a state is cited by it under any name of the code: "us-md/21.03.04.01". */
const wholeOf = (identity: string): ReadonlyArray<string> => {
  const [, state, number] = /^(us-[a-z]{2})\/code\/(\d[^/]*)$/i.exec(identity) ?? []
  return state === undefined || number === undefined ? [] : [`${state}/${number.toLowerCase()}`]
}

/** What follows in a citation: "83 Fed. Reg. 21707 (2018-09910), part 1" is not the whole notice. */
const restOf = (text: string, end: number): string =>
  text
    .slice(end)
    .replace(/^[)\s]+|\([^)]*\)/g, "")
    .trim()
