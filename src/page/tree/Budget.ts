/**
 * Limits the work for one page, counted while the page is read.
 *
 * An 8 MB page can be built so that it needs gigabytes of memory, or a minute. A limit on its size does not prevent this, so
 * the work itself is limited. If a page exceeds a limit, reading it fails with `TooCostly`, and nothing of it is kept.
 */
import { BLOCK, type Kind } from "../Elements.ts"

/** All limits of one page. Pages that were made for people stay far below them. */
const limits = {
  elements: 1_000_000,
  /** Block elements: paragraphs, items, rows, cells. The main content finder scores each of them. */
  blocks: 320_000,
  attributes: 3_000_000,
  /** Cells of tables that are written as Markdown tables, including the empty ones that spans add. */
  cells: 500_000,
  /** Characters of addresses and of output, counted each time they are written. */
  characters: 64_000_000,
  milliseconds: 20_000
}

type Limits = typeof limits

/** Reading the page exceeds a limit. */
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

  open({ flags }: Kind, attributes: number): void {
    this.attributes += attributes
    if (++this.elements > this.limits.elements) this.fail("elements")
    if ((flags & BLOCK) !== 0 && ++this.blocks > this.limits.blocks) this.fail("blocks")
    if (this.attributes > this.limits.attributes) this.fail("attributes")
    if (this.elements % stepElements === 0) this.step()
  }

  cell(count: number): void {
    this.cells += count
    if (this.cells > this.limits.cells) this.fail("cells")
  }

  /** Counts characters. If the output is longer than its source, call this before writing it. */
  write(characters: number): void {
    this.characters += characters
    if (this.characters > this.limits.characters) this.fail("characters")
  }

  /** Checks the time limit. Called between two steps of the work on a page. */
  step(): void {
    if (this.now() - this.began > this.limits.milliseconds) this.fail("milliseconds")
  }

  private fail(what: keyof Limits): never {
    throw new TooCostly(what, this.limits[what])
  }
}

/** CPU time of this thread: a page is not too costly because other work keeps the machine busy. */
const ownMilliseconds = (): number => {
  const { system, user } = usage()
  return (user + system) / 1000
}

/** Node 22 knows only the CPU time of the whole process, which is longer. */
const usage = Reflect.has(process, "threadCpuUsage") ? () => process.threadCpuUsage() : () => process.cpuUsage()

/** The number of elements between two checks of the time limit. */
const stepElements = 1000
