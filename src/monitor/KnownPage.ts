/**
 * A page as a monitor knows it: how it was when it last changed, which version of the finder found its text, and the states
 * that it had shortly before.
 *
 * A text that another version of the finder found says nothing of a change: it is taken as it is. A page that goes back to a
 * state of its last checks flips: that is reported once, however often it goes back and forth.
 */
import { createHash } from "node:crypto"
import * as Meaning from "../diff/Meaning.ts"
import * as PageDiff from "../diff/PageDiff.ts"
import type { State } from "./Monitor.ts"

export interface KnownPage extends PageDiff.Version {
  /** Absent where all of the page was read, and in what was written before there were versions. */
  readonly contentVersion?: number
  /** The states before, and how many checks ago each ended. */
  readonly past?: ReadonlyArray<{ readonly hash: string; readonly ago: number }>
  /** How often it has gone back to one of them. */
  readonly flips?: number
}

/** What a check finds of a page that it knows. */
export interface Comparison {
  readonly status: "same" | "changed"
  readonly diff: PageDiff.PageDiff
  /** How often it has gone back to an earlier state; 0 where it has not. */
  readonly flips: number
  readonly isReadAnew: boolean
  /** How it is from now on; undefined: as it was known. */
  readonly next: KnownPage | undefined
}

/** The page in a state of a monitor. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Finding.ofPage` wrote it
export const inState = ({ version }: State): KnownPage => JSON.parse(version) as KnownPage

/** How many checks a state is remembered that is over. */
const maxChecks = 10

export const compare = async (
  before: KnownPage,
  current: KnownPage,
  watched: PageDiff.Watched
): Promise<Comparison> => {
  const past = (before.past ?? []).flatMap(({ ago, hash }) => (ago < maxChecks ? [{ hash, ago: ago + 1 }] : []))
  const flips = past.length === 0 ? 0 : (before.flips ?? 0)
  if (watched.text && current.contentVersion !== undefined && before.contentVersion !== current.contentVersion) {
    const diff = await PageDiff.between(before, current, { ...watched, text: false })
    return { status: diff.isChanged ? "changed" : "same", diff, flips: 0, isReadAnew: true, next: current }
  }
  const diff = await PageDiff.between(before, current, watched)
  if (!diff.isChanged) {
    const next = before.past === undefined ? undefined : withPast(before, past, flips)
    return { status: "same", diff, flips: 0, isReadAnew: false, next }
  }
  const hash = hashOf(current)
  const isBack = past.some((state) => state.hash === hash)
  const others = past.filter((state) => state.hash !== hash)
  const now = isBack ? flips + 1 : 0
  return {
    status: now > 1 ? "same" : "changed",
    diff,
    flips: now,
    isReadAnew: false,
    next: withPast(current, [...others, { hash: hashOf(before), ago: 1 }], now)
  }
}

const withPast = (page: KnownPage, past: NonNullable<KnownPage["past"]>, flips: number): KnownPage => {
  const { flips: _, past: __, ...rest } = page
  return { ...rest, ...(past.length === 0 ? {} : { past }), ...(flips === 0 ? {} : { flips }) }
}

/** Two states of one hash are the same page. */
const hashOf = (page: PageDiff.Version): string =>
  createHash("sha256")
    .update(Meaning.of(page))
    .update("\0")
    .update(JSON.stringify(page.json ?? null))
    .digest("base64url")
    .slice(0, 22)
