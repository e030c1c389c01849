/**
 * The figures of a report on one run. `millrace report --json` prints them unchanged.
 *
 * Guarantee: every figure comes from a destination or the journal. A figure that neither knows is null or absent, and `notes` has
 * the reason.
 */
import type { Piece } from "#base/wordDiff"
import type { ColumnProfile } from "#engine/ColumnProfile"
import type { CheckRecord } from "#engine/Commit"
import type { Sheet } from "../Sheet.ts"

export interface ReportModel {
  readonly format: "millrace-report-1"
  readonly pipeline: string
  readonly run: Run
  /** The good runs before this one, with which its figures are compared, the newest first. */
  readonly compared_with: ReadonlyArray<string>
  /** What became of everything that the source discovered; null: the source does not count it. */
  readonly ledger: Ledger | null
  /** How much of what the run should have read it has; null: nobody knows what it should. */
  readonly whole: Whole | null
  readonly checks: ReadonlyArray<CheckRecord>
  readonly status_codes: ReadonlyArray<Counted> | null
  readonly latency_ms: Spread | null
  /** The bytes that were downloaded; null: not reported. */
  readonly download: Download | null
  readonly credits: Credits | null
  /** This run and the runs before it, the oldest first. */
  readonly history: ReadonlyArray<HistoryPoint>
  readonly tables: ReadonlyArray<TableReport>
  /** What was asked of pages, by the sheets of the jobs of the run; null: its source has no jobs with sheets. */
  readonly asked: Asked | null
  readonly rejects: ReadonlyArray<Problem>
  readonly errors: ReadonlyArray<Problem>
  readonly changes: ReadonlyArray<TableChanges>
  /** Which figures are missing, and why. */
  readonly notes: ReadonlyArray<string>
}

export interface Run {
  readonly run_id: string
  /** The status in `millrace runs`: done, partial, held, failed ... */
  readonly status: string
  readonly started_at: string
  readonly ended_at: string | null
  readonly seconds: number | null
  readonly sinks: ReadonlyArray<string>
  readonly message: string | null
  readonly rows: Readonly<Record<string, number>>
  readonly facts: Readonly<Record<string, number>>
}

export interface Ledger {
  readonly discovered: number
  /** They add up to `discovered`. */
  readonly parts: ReadonlyArray<{ readonly name: LedgerPart; readonly count: number }>
  /** Loaded rows that steps removed. */
  readonly dropped: number
}

export interface Whole {
  readonly expected: number
  readonly present: number
  readonly missing: number
  /** The missing that failed nowhere: an earlier run had them, and this one met no link to them. */
  readonly not_met: number
}

export type LedgerPart =
  | "loaded"
  | "read"
  | "revalidated"
  | "gone"
  | "rejected"
  | "failed"
  | "blocked"
  | "skipped"
  | "not reached"

interface Counted {
  readonly value: string
  readonly count: number
}

export interface Spread {
  readonly min: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
  readonly mean: number
}

export interface Download {
  /** Bytes of the bodies as they were received, with those of redirects. */
  readonly wire_bytes: number
  /** Bytes of the bodies decompressed; null: not reported. */
  readonly body_bytes: number | null
  /** `run`: the sum over all pages that the run has read; `rows`: the sum over the pages that are rows. */
  readonly of: "run" | "rows"
  /** The distribution over pages, in bytes; null: not reported. */
  readonly page_wire_bytes: Spread | null
}

export interface Credits {
  readonly used: number
  /** The number of rows of the main table that are new or changed; null: no destination can compare. */
  readonly changed_rows: number | null
  readonly per_changed_row: number | null
}

export interface HistoryPoint {
  readonly run_id: string
  readonly status: string
  readonly started_at: string
  readonly seconds: number | null
  readonly rows: Readonly<Record<string, number>>
  readonly credits: number | null
  /** Rows of the main table in each second, of a source that counts what it discovers. */
  readonly pages_per_second: number | null
  /** Of the last runs alone, as are the two after it: they come from profiles. */
  readonly latency_p50_ms: number | null
  readonly latency_p95_ms: number | null
  /** As they came from the sites; null where nobody says it. */
  readonly wire_bytes: number | null
  readonly body_bytes: number | null
  /** Characters of all texts of the main table. */
  readonly characters: number | null
  /** Bytes of all tables of the run in the destination, where it knows them: a lake does. */
  readonly bytes: number | null
}

export interface TableReport {
  readonly name: string
  readonly description: string
  readonly key: ReadonlyArray<string>
  /** Rows of this run, and of the destination now. */
  readonly rows: number | null
  readonly stored_rows: number | null
  readonly stored_bytes: number | null
  readonly columns: ReadonlyArray<ColumnReport>
}

export interface ColumnReport {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** What it holds; null where nobody says it. */
  readonly description: string | null
  readonly profile: ColumnProfile | null
  /** The share of filled values in this run, and the minimum, median and maximum of the compared runs. */
  readonly fill: number | null
  readonly usual_fill: { readonly min: number; readonly median: number; readonly max: number } | null
  /** What is unusual compared with the other runs, in words. */
  readonly unusual: ReadonlyArray<string>
}

export interface Asked {
  readonly jobs: number
  /** Jobs that asked again for what those lack. They are in no sum, since what they were asked is asked once. */
  readonly jobs_again: number
  /** The sums over all jobs but those. */
  readonly sheet: Sheet
  /** Some of the jobs that lack values or have not read a page, those that lack most first, each with the first of its pages. */
  readonly lacking: ReadonlyArray<{ readonly page: string; readonly sheet: Sheet }>
  /** How many such jobs there are. */
  readonly lacking_jobs: number
}
/** Rejects with one reason, or errors with one code. */
export interface Problem {
  readonly table: string
  readonly reason: string
  readonly count: number
  readonly examples: ReadonlyArray<{ readonly where: string; readonly text: string }>
}

export interface TableChanges {
  readonly table: string
  readonly sink: string
  readonly from: string
  /** How the table is written: append, replace, merge or scd2. */
  readonly write: string
  readonly basis: string
  /** Whether both loads are known; otherwise only the rows that were written are known. */
  readonly whole: boolean
  readonly counts: Readonly<Record<string, number>>
  readonly fields: Readonly<Record<string, number>>
  readonly shown: ReadonlyArray<{
    readonly kind: "added" | "removed" | "changed" | "written"
    readonly key: ReadonlyArray<readonly [name: string, value: string]>
    readonly fields: ReadonlyArray<{ readonly name: string; readonly pieces: ReadonlyArray<Piece> }>
  }>
}
