/**
 * The links of a page beside its text: which of them went since the last check.
 *
 * Guarantee: the loss of a link is told from the first check on. Links that take turns are furniture: as many come as go, and that is
 * told only if it never happened in the last ten checks, of which there must be one. Links of the whole site say nothing of a page.
 */
import * as Meaning from "#base/Meaning"
import type { PageDocument } from "#contract/PageDocument"

/** What is remembered of the links of a page. */
export interface OuterLinks {
  readonly addresses: ReadonlyArray<string>
  /** Those that came in the last check: they may go again at once. */
  readonly young?: ReadonlyArray<string>
  /** How many checks ago links took turns. */
  readonly turned?: number
  /** Whether they were compared before. */
  readonly isCompared?: boolean
}

/** The links of a page as it was read: all of them, and those beside its text. */
export interface ReadLinks {
  readonly all: ReadonlySet<string>
  readonly outer: ReadonlyArray<string>
  /** Whether there are more beside its text than are remembered. */
  readonly isCut: boolean
}

export const read = ({ links, markdown = "" }: PageDocument): ReadLinks | undefined => {
  if (links === undefined) return undefined
  const inText = new Set(Array.from(markdown.matchAll(target), ([address]) => plain(address)))
  const all = new Set(links.map(plain))
  let room = maxLength
  const outer = [...all].filter((address) => !inText.has(address) && (room -= address.length) > 0)
  return { all, outer, isCut: room <= 0 }
}

/** An address in Markdown; it has no white space and at most one pair of parentheses. */
const target = /(?<=\]\()[^\s()]+(?:\([^\s()]*\)[^\s()]*)?(?=\))/g

/** The sum of the lengths of the addresses that are remembered. */
const maxLength = 16_000

/** The address without what changes with each visit. */
const plain = (address: string): string => Meaning.line(`<${address}>`).slice(1, -1)

interface Comparison {
  /** The links that went, if that is a change. */
  readonly lost: ReadonlyArray<string>
  readonly next: OuterLinks
}

/** `ofSite`: links that other pages of the site have, too. */
export const compare = (
  before: OuterLinks,
  { all, isCut, outer }: ReadLinks,
  ofSite: ReadonlySet<string>
): Comparison => {
  const own = (address: string) => !ofSite.has(address)
  const known = new Set(before.addresses)
  const young = new Set(before.young)
  const newcomers = outer.filter((address) => !known.has(address))
  const lost = before.addresses.filter((address) => !all.has(address) && own(address))
  const settled = lost.filter((address) => !young.has(address))
  // Where the list is cut, a link behind the known ones moved up because another one went.
  const last = isCut ? outer.findLastIndex((address) => known.has(address)) : outer.length
  const counted = outer.slice(0, last).filter((address) => !known.has(address) && own(address)).length
  const isTurn = lost.length > 0 && counted > 0
  const wasTurning = before.turned !== undefined && before.turned < maxChecks
  const isTold = lost.length > counted || (!wasTurning && before.isCompared === true)
  const turned = isTurn ? 0 : wasTurning ? (before.turned ?? 0) + 1 : undefined
  return {
    lost: isTold ? settled : [],
    next: {
      addresses: outer,
      isCompared: true,
      ...(newcomers.length === 0 ? {} : { young: newcomers }),
      ...(turned === undefined ? {} : { turned })
    }
  }
}

const maxChecks = 10
