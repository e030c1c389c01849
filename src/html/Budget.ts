/**
 * What the reading of one page may cost, counted while it is read.
 *
 * A page of 8 MB can be made so that it becomes gigabytes in memory, or takes a minute. Size alone does not say so; what it
 * makes the reader do says so. Over a limit the page fails (`TooCostly`), and nothing of it is kept.
 */
import { BLOCK, type Kind } from "./Elements.ts"

/** All limits of one page. No page that people read comes near them. */
export const limits = {
  elements: 1_000_000,
  /** Elements that stand apart: paragraphs, items, rows, cells. Each of them is weighed for the main content. */
  blocks: 320_000,
  attributes: 3_000_000,
  /** Cells of tables that are written as tables, with those that spans add. */
  cells: 500_000,
  /** Characters of addresses and of output, as often as they are written. */
  characters: 64_000_000,
  milliseconds: 20_000
}

export type Limits = typeof limits

/** A page that costs more to read than a page may. */
export class TooCostly extends Error {
  readonly code = "SCRAPE_PAGE_TOO_COSTLY"
  constructor(what: keyof Limits, most: number) {
    super(
      what === "milliseconds"
        ? `the page is too costly to read: it takes longer than ${most / 1000} s`
        : `the page is too costly to read: more than ${most.toLocaleString("en-US")} ${words[what]}`
    )
  }
}

const words = {
  elements: "elements",
  blocks: "paragraphs, items, rows and cells",
  attributes: "attributes",
  cells: "cells of tables",
  characters: "characters of addresses and text"
}

export class Budget {
  private readonly limits: Limits
  private readonly now: () => number
  private readonly began: number
  private elements = 0
  private blocks = 0
  private attributes = 0
  private cells = 0
  private characters = 0

  constructor(own: Limits = limits, now: () => number = ownMilliseconds) {
    this.limits = own
    this.now = now
    this.began = now()
  }

  /** An element opens. */
  open({ flags }: Kind, attributes: number): void {
    this.attributes += attributes
    if (++this.elements > this.limits.elements) this.fail("elements")
    if ((flags & BLOCK) !== 0 && ++this.blocks > this.limits.blocks) this.fail("blocks")
    if (this.attributes > this.limits.attributes) this.fail("attributes")
    if (this.elements % stepElements === 0) this.step()
  }

  /** Cells are added to a table. */
  cell(count: number): void {
    this.cells += count
    if (this.cells > this.limits.cells) this.fail("cells")
  }

  /** Characters are written. Called before they are, where what is written is longer than what it is made of. */
  write(characters: number): void {
    this.characters += characters
    if (this.characters > this.limits.characters) this.fail("characters")
  }

  /** Looks at the time that this thread has worked: between two steps of the work on a page. */
  step(): void {
    if (this.now() - this.began > this.limits.milliseconds) this.fail("milliseconds")
  }

  private fail(what: keyof Limits): never {
    throw new TooCostly(what, this.limits[what])
  }
}

/** Time that this thread has worked: a page is not too costly because others keep the machine busy. */
const ownMilliseconds = (): number => {
  const { system, user } = usage()
  return (user + system) / 1000
}

/** Node 22 counts only the whole process, which is more. */
const usage = Reflect.has(process, "threadCpuUsage") ? () => process.threadCpuUsage() : () => process.cpuUsage()

/** Elements between two looks at the clock. */
const stepElements = 1000
