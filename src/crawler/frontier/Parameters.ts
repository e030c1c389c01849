/**
 * Which parameters of a site's addresses make no difference to what its pages mean.
 *
 * A parameter is an alias once it has made no difference in 20 pages and a difference in none. Whole levels are
 * examined, so the order of answers makes no difference either. Of each group (an address without the parameter) only a
 * few bytes are kept.
 */
import * as PageUrl from "../../api/PageUrl.ts"
import * as UrlTable from "./UrlTable.ts"

/** Pages in which a parameter must have made no difference. */
const enough = 20

interface Tally {
  same: number
  different: number
}

export class Parameters {
  private readonly tallies = new Map<string, Tally>()
  private readonly meanings = UrlTable.make()
  private readonly learned = new Set<string>()

  /** The address without each of its parameters: the groups that a page belongs to. */
  groupsOf(url: URL): ReadonlyArray<Group> {
    const parameters = PageUrl.parametersOf(url.search)
    const names = [...new Set(parameters.map(([name]) => name))].filter((name) => !this.learned.has(name))
    return names.slice(0, maxParameters).map((name) => {
      const rest = parameters.filter(([other]) => other !== name).map(([, written]) => written)
      const base = new URL(url.href)
      base.search = rest.join("&")
      return { name, base }
    })
  }

  /** Takes a page into a group. True: it is the first, and whoever has the group's own address may be compared. */
  take({ base, name }: Group, meaning: string): boolean {
    const key = `${name} ${base.href}`
    const value = numberOf(meaning)
    const before = this.meanings.get(key)
    if (before === undefined) this.meanings.set(key, value)
    else this.count(name, before === value)
    return before === undefined
  }

  count(name: string, isSame: boolean): void {
    const tally = this.tallies.get(name) ?? { same: 0, different: 0 }
    if (isSame) tally.same += 1
    else tally.different += 1
    this.tallies.set(name, tally)
  }

  /** Parameters that are aliases from now on. */
  learn(): ReadonlyArray<string> {
    const names = [...this.tallies].flatMap(([name, { different, same }]) =>
      different === 0 && same >= enough && !this.learned.has(name) ? [name] : []
    )
    for (const name of names) this.learned.add(name)
    return names.toSorted()
  }
}

export interface Group {
  readonly name: string
  readonly base: URL
}

/** An address with more says less. */
const maxParameters = 8

const numberOf = (hash: string): number => Number.parseInt(hash.slice(0, 7), 16)
