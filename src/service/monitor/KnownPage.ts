/**
 * The state of a page in a monitor: the page when it last changed, the version of the finder that found its text, its states in the
 * last checks, the places that moved in them, and its links beside the text.
 *
 * If another version of the finder found the text, a difference of the text is not a change, and the new text is stored. A
 * page that returns to a state of its last checks flips: that is reported once, however often it changes back and forth.
 */
import { createHash } from "node:crypto"
import * as Meaning from "#base/Meaning"
import * as PageDiff from "#base/PageDiff"
import type { State } from "./Monitor.ts"
import * as OuterLinks from "./OuterLinks.ts"

export interface KnownPage extends PageDiff.Version {
  /** The version of the finder; absent: the whole page was read, or an older release stored the state. */
  readonly contentVersion?: number
  /** The earlier states, and how many checks ago each ended. */
  readonly past?: ReadonlyArray<{ readonly hash: string; readonly ago: number }>
  /** How often the page has returned to an earlier state. */
  readonly flips?: number
  /** The places that have moved: counters, and items that take turns. */
  readonly moved?: ReadonlyArray<PageDiff.Moved>
  /** Absent: an older release stored the state, or the text is not watched. */
  readonly links?: OuterLinks.OuterLinks
}

/** The links of the page now, and those that other pages of its site have, too. */
export interface LinksNow extends OuterLinks.ReadLinks {
  readonly ofSite: ReadonlySet<string>
}

/** The comparison of a page with its known state. */
interface Comparison {
  readonly status: "same" | "changed"
  readonly diff: PageDiff.PageDiff
  /** How often it has returned to an earlier state. */
  readonly flips: number
  /** Whether its text was found by another version of the finder, so that it was not compared. */
  readonly isReadAnew: boolean
  /** The state to store; undefined: it stays the same. */
  readonly next: KnownPage | undefined
}

/** The known page in a stored state. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Finding.ofPage` wrote it
export const inState = ({ version }: State): KnownPage => JSON.parse(version) as KnownPage

/** For how many checks an earlier state is remembered. */
const maxChecks = 10

export const compare = async (
  before: KnownPage,
  current: KnownPage,
  watched: PageDiff.Watched,
  linksNow?: LinksNow
): Promise<Comparison> => {
  const past = (before.past ?? []).flatMap(({ ago, hash }) => (ago < maxChecks ? [{ hash, ago: ago + 1 }] : []))
  const flips = past.length === 0 ? 0 : (before.flips ?? 0)
  if (watched.text && current.contentVersion !== undefined && before.contentVersion !== current.contentVersion) {
    const diff = await PageDiff.between(before, current, { ...watched, text: false })
    const next = { ...current, ...linksOf(linksNow) }
    return { status: diff.isChanged ? "changed" : "same", diff, flips: 0, isReadAnew: true, next }
  }
  const { markdown, moved } = await PageDiff.settle(before, current, before.moved ?? [])
  const links =
    before.links === undefined || linksNow === undefined
      ? undefined
      : OuterLinks.compare(before.links, linksNow, linksNow.ofSite)
  const settled = withLinks({ ...before, markdown }, links?.lost ?? [])
  const diff = await PageDiff.between(settled, current, watched)
  const remembered = {
    ...(moved.length === 0 ? {} : { moved }),
    ...(links === undefined ? linksOf(linksNow) : { links: links.next })
  }
  if (!diff.isChanged) {
    const stays = markdown === before.markdown ? before : current
    const { moved: _, links: __, ...rest } = withPast(stays, past, flips)
    const next = { ...rest, ...remembered }
    return { status: "same", diff, flips: 0, isReadAnew: false, next: isEqual(next, before) ? undefined : next }
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
    next: { ...withPast(current, [...others, { hash: hashOf(before), ago: 1 }], now), ...remembered }
  }
}

const isEqual = (next: KnownPage, before: KnownPage): boolean => JSON.stringify(next) === JSON.stringify(before)

/** The links of a page that is read for the first time. */
export const linksOf = (now: OuterLinks.ReadLinks | undefined): Pick<KnownPage, "links"> =>
  now === undefined ? {} : { links: { addresses: now.outer } }

/** The page with links beside its text, so that a diff shows them. */
const withLinks = (page: KnownPage, links: ReadonlyArray<string>): KnownPage =>
  links.length === 0 ? page : { ...page, markdown: [page.markdown, ...links.map((link) => `<${link}>`)].join("\n\n") }

const withPast = (page: KnownPage, past: NonNullable<KnownPage["past"]>, flips: number): KnownPage => {
  const { flips: _, past: __, ...rest } = page
  return { ...rest, ...(past.length === 0 ? {} : { past }), ...(flips === 0 ? {} : { flips }) }
}

/** The hash of a state: states with the same hash are equal. */
const hashOf = (page: PageDiff.Version): string =>
  createHash("sha256")
    .update(Meaning.of(page))
    .update("\0")
    .update(JSON.stringify(page.json ?? null))
    .digest("base64url")
    .slice(0, 22)
