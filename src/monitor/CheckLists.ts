/**
 * Checks as they are looked at afterwards: lists of them, their pages, and the letters that they are to write.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { CheckStatus, MonitorPage, PageStatus } from "../api/MonitorCheck.ts"
import type { StoreError } from "../crawler/StoreError.ts"
import * as Monitor from "./Monitor.ts"

export interface PageQuery {
  readonly skip: number
  readonly limit: number
  readonly status?: PageStatus | undefined
}

/** A letter that is to be written, for the attempt that is counted here. */
export interface DueMail {
  readonly check: Monitor.Check
  readonly monitorName: string
  /** This attempt's number, from 1. */
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
    /** Pages of a check in the order found, and how many there are after these. */
    readonly pages: (
      checkId: string,
      query: PageQuery
    ) => Effect.Effect<{ readonly pages: ReadonlyArray<MonitorPage>; readonly remaining: number }, StoreError>
    /** The maximum number of pages of a check that its monitor's readers are informed about. */
    readonly told: (checkId: string, limit: number) => Effect.Effect<ReadonlyArray<MonitorPage>, StoreError>
    /** Takes a letter that is due, so that nobody else writes it in the next minutes. */
    readonly takeMail: Effect.Effect<Option.Option<DueMail>, StoreError>
    readonly mailed: (
      checkId: string,
      state: Monitor.MailState,
      dueAt: number | null
    ) => Effect.Effect<void, StoreError>
  }
>()("millrace/CheckLists") {}
