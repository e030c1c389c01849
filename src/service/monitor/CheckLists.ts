/**
 * Reads checks that were made: lists of checks, their pages, and the e-mails that are due.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CheckStatus, MonitorPage, PageStatus } from "#contract/MonitorCheck"
import type { StoreError } from "#web/StoreError"
import * as Monitor from "./Monitor.ts"

export interface PageQuery {
  readonly skip: number
  readonly limit: number
  readonly status?: PageStatus | undefined
}

/** An e-mail that is due, and the number of this attempt. */
export interface DueMail {
  readonly check: Monitor.Check
  readonly monitorName: string
  /** The number of this attempt, from 1. */
  readonly attempt: number
}

export class CheckLists extends Context.Service<
  CheckLists,
  {
    /** The checks of a monitor, newest first, and how many there are. */
    readonly list: (
      monitorId: string,
      query: { readonly offset: number; readonly limit: number; readonly status?: CheckStatus | undefined }
    ) => Effect.Effect<{ readonly checks: ReadonlyArray<Monitor.Check>; readonly total: number }, StoreError>
    /** Pages of a check in the order in which they were found, and how many more there are. */
    readonly pages: (
      checkId: string,
      query: PageQuery
    ) => Effect.Effect<{ readonly pages: ReadonlyArray<MonitorPage>; readonly remaining: number }, StoreError>
    /** The pages of a check that are reported to the recipients of its monitor, at most `limit` of them. */
    readonly reported: (checkId: string, limit: number) => Effect.Effect<ReadonlyArray<MonitorPage>, StoreError>
    /** Takes an e-mail that is due, so that no other process sends it in the next minutes. */
    readonly takeMail: Effect.Effect<Option.Option<DueMail>, StoreError>
    /** Records the result of sending; `dueAt`: when to try again. */
    readonly mailed: (
      checkId: string,
      state: Monitor.MailState,
      dueAt: number | null
    ) => Effect.Effect<void, StoreError>
  }
>()("millrace/CheckLists") {}
