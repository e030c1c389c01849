/**
 * Recognises endless series of URLs: calendars, paths that repeat themselves, templates that say nothing new.
 *
 * A series is a trap when as many of its pages as the budget allows have been read, level after level, and none had
 * anything that an earlier page of the series did not have (`Template`). A level in which one page in ten has something
 * new resets the count, so an archive with content is never a trap, however long it is. A path that loops has a
 * twentieth of the budget.
 */
import type { Ended } from "../CrawlIdentity.ts"
import { type Shape, shapeOf, weightOf } from "./Template.ts"
import { templateIn } from "./TextSketch.ts"
import * as UrlTable from "./UrlTable.ts"

interface Count {
  readonly shape: Shape
  pages: number
  fresh: number
}

export class Traps {
  private readonly budget: number
  private readonly seen = UrlTable.create()
  /** By shape: the pages since one said something new. */
  private readonly barren = UrlTable.create()
  private readonly closed = new Set<string>()
  private level = new Map<string, Count>()

  constructor(budget: number) {
    this.budget = budget
  }

  /** Counts a page of the level that ends. */
  take({ landed, template: shown, url }: Ended): void {
    const address = new URL(landed ?? url)
    const template = templateIn(shown)
    const shape = template === undefined ? undefined : shapeOf(address)
    if (shape === undefined) return
    const weight = weightOf(address, shape, this.budget)
    const count = this.level.get(shape.text) ?? { shape, pages: 0, fresh: 0 }
    const key = `${shape.text} ${template}`
    count.pages += weight
    if (this.seen.get(key) === undefined) count.fresh += weight
    this.seen.set(key, 1)
    this.level.set(shape.text, count)
  }

  /** The shapes that are traps from now on. */
  endLevel(): ReadonlyArray<string> {
    const found: Array<string> = []
    for (const [text, { fresh, pages, shape }] of this.level) {
      const barren = fresh * 10 >= pages ? 0 : (this.barren.get(text) ?? 0) + pages - fresh
      this.barren.set(text, barren)
      const budget = shape.goesRound ? Math.ceil(this.budget / 20) : this.budget
      if (this.budget > 0 && barren >= budget && !this.closed.has(text)) {
        this.closed.add(text)
        found.push(text)
      }
    }
    this.level = new Map()
    return found
  }

  get isEmpty(): boolean {
    return this.closed.size === 0
  }

  /** The trap that this URL belongs to. */
  of(url: URL): string | undefined {
    if (this.isEmpty) return undefined
    const shape = shapeOf(url)
    return shape !== undefined && this.closed.has(shape.text) ? shape.text : undefined
  }
}
