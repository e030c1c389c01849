/**
 * Decides which URL parameters make no difference to the meaning of a site's pages.
 *
 * A parameter is an alias once it has made no difference in 20 pages and a difference in none. Whole levels are
 * examined, so the order of answers does not matter. For each group (a URL without the parameter) only a few bytes are
 * kept.
 */
import * as PageUrl from "#contract/PageUrl"
import * as UrlTable from "./UrlTable.ts"

/** In how many pages a parameter must have made no difference. */
const enough = 20

interface Tally {
  same: number
  different: number
}

export class Parameters {
  private readonly tallies = new Map<string, Tally>()
  private readonly meanings = UrlTable.create()
  private readonly learned = new Set<string>()

  /** The groups of a page: its URL without each of its parameters. */
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

  /** Adds a page to a group. True: it is the first, and the page at the group's own URL may be compared. */
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

  /** The parameters that are aliases from now on. */
  learn(): ReadonlyArray<string> {
    const names = [...this.tallies].flatMap(([name, { different, same }]) =>
      different === 0 && same >= enough && !this.learned.has(name) ? [name] : []
    )
    for (const name of names) this.learned.add(name)
    return names.toSorted()
  }
}

interface Group {
  readonly name: string
  readonly base: URL
}

/** A URL with more parameters is ignored. */
const maxParameters = 8

const numberOf = (hash: string): number => Number.parseInt(hash.slice(0, 7), 16)
