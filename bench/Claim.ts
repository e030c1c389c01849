/**
 * What a claim of the bench is: one work, done by us and by peers, each in processes of its own.
 *
 * All contestants of a work do the same on the same input in the same run, round by round in turn, and each as its own
 * documentation advises for throughput; `how` says how. A peer that is not there is reported as missing, never left out.
 */

/** One file a claim: it exports this as `claim`. */
export interface Claim {
  /** The file's name: `crawl`. */
  readonly name: string
  /** What is claimed or asked, as a sentence for the table. */
  readonly title: string
  readonly works: ReadonlyArray<Work>
}

export interface Work {
  /** Unique in its claim: `small pages`. */
  readonly name: string
  /** What one unit of the work is, in the plural: `pages`, `rows`. */
  readonly units: string
  /** How many of them one run of a contestant does. */
  readonly count: number
  /** How many of them may be missing: pages that a crawler need not find. Default: none. */
  readonly slack?: number
  /** CPU seconds are reported for so many units, everywhere; default: 1000. */
  readonly per?: number
  /** Rounds that are measured; one more before them is not. */
  readonly rounds: number
  /** Runs that are so long that nothing is left to warm up: there is no round before. */
  readonly isLong?: boolean
  /**
   * Whether whoever begins a round runs once before it, unmeasured: by then the file that they share has left the memory,
   * and the first to read it would pay for all.
   */
  readonly coolsDown?: true
  /** `bars` of all contestants side by side, or `growth` of one contestant over its counts; default: `bars`. */
  readonly plot?: "bars" | "growth"
  /** What bars and ratios are of: a name in `figures`; default: `cpu`. */
  readonly shown?: string
  /** Whether its seconds say nothing, as those of contestants judged in their own processes: these run side by side. */
  readonly isUntimed?: true
  /** Why nobody can do it here; undefined: it can be done. */
  readonly missing?: () => string | undefined
  /** What contestants need while they run: servers, files. `words` of the contestants may name what it gives. */
  readonly prepare?: () => Promise<Prepared>
  /** The first is ours. */
  readonly contestants: ReadonlyArray<Contestant>
  readonly targets: ReadonlyArray<Target>
}

export interface Prepared {
  /** Given to `words`: ports, folders. */
  readonly values: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

export interface Contestant {
  readonly name: string
  /** With which options, and who advises them. */
  readonly how: string
  /**
   * The command and its arguments. It runs in `folder`, which is its own, empty but for `files`, and gone afterwards: files
   * of the checkout are named from the root of the file system.
   */
  readonly words: (values: Readonly<Record<string, string>>, folder: string) => ReadonlyArray<string>
  /** A command that runs in its folder before, unmeasured: what its work begins from. */
  readonly before?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** What lies in its folder when it starts, by name. */
  readonly files?: (values: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
  /** What it did, of its output, where it does not tell it itself; read when it has ended, outside of what is measured. */
  readonly read?: (stdout: string, folder: string) => Told | Promise<Told>
  /** How many units it does, where not as many as the work says: those of a growth. */
  readonly count?: number
  /** How often it runs in a round, which has the means: what is over in a second says little. Default: once. */
  readonly often?: number
  /** Whether its folder is in memory: where thousands of files go, a disk takes one to three times the CPU, as it is. */
  readonly inMemory?: boolean
  /** Left out by `--quick`. */
  readonly slow?: boolean
  /** Which cores it may use; default: 2. */
  readonly cores?: 1 | 2
  /** Why it cannot run here; undefined: it can. */
  readonly missing?: () => string | undefined
}

/**
 * What a contestant's process prints as its last line, as JSON: what it did, so that nobody wins by doing less. Every
 * number of `figures` has a column of its own (requests/s, quality, milliseconds of a part).
 */
export interface Told {
  readonly count: number
  readonly figures?: Readonly<Record<string, number>>
}

/** What must hold of medians: ours against a number or against another contestant's. */
export interface Target {
  /** As the owner's design has it: `at least 3x less CPU than Scrapy`. */
  readonly says: string
  /** `cpu` (seconds for `per` units), `wall` (seconds of the run), `rss` (MB), or a name in `figures`. */
  readonly of: string
  /** Ours, or another contestant that stands for us. */
  readonly ours?: string
  readonly against: { readonly contestant: string } | { readonly value: number }
  /** Ours divided by the other: at most, or at least. */
  readonly ratio: { readonly atMost: number } | { readonly atLeast: number }
}
