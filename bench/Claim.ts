/**
 * What a claim of the bench is: one work, done by us and by peers, each in processes of its own.
 *
 * The law: all contestants of a work do the same on the same input in the same run, round by round in turn, and each as its
 * own documentation advises for throughput; `how` says how. A peer that is not there is told as missing, never left out.
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
  /** How many of them one run of a contestant does; figures are told for each 1000 of them where `per` says so. */
  readonly count: number
  /** Rounds that are measured; one more before them is not. */
  readonly rounds: number
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
  /** The command and its arguments; `folder` is empty, its own, and gone afterwards. */
  readonly words: (values: Readonly<Record<string, string>>, folder: string) => ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Which cores it may use; 2 unless told. */
  readonly cores?: 1 | 2
  /** Why it cannot run here; undefined: it can. */
  readonly missing?: () => string | undefined
}

/**
 * What a contestant's process prints as its last line, as JSON: what it did, so that nobody wins by doing less. Every number
 * of `figures` has a column of its own (requests/s, quality, milliseconds of a part).
 */
export interface Told {
  readonly count: number
  readonly figures?: Readonly<Record<string, number>>
}

/** What must hold of medians: ours against a number or against another contestant's. */
export interface Target {
  /** As the owner's design has it: `at least 3x less CPU than Scrapy`. */
  readonly says: string
  /** `cpu`, `wall`, `rss`, or a name in `figures`. */
  readonly of: string
  /** Ours, or another contestant that stands for us. */
  readonly ours?: string
  readonly against: { readonly contestant: string } | { readonly value: number }
  /** Ours divided by the other: at most, or at least. */
  readonly ratio: { readonly atMost: number } | { readonly atLeast: number }
}
