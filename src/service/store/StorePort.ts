/**
 * Where a store over SQL ends: its port, whose effects fail with `StoreError`, which no room but this one makes of what a
 * database says.
 *
 * Transactions are inside: one that meets either error is rolled back.
 */
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreError } from "../../crawler/StoreError.ts"
import { mayPass } from "../../sql/mayPass.ts"

/** A port as SQL implements it: its effects may fail with what the database says. */
export type OverSql<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Effect.Effect<infer A, infer E, infer R>
    ? (...args: Args) => Effect.Effect<A, E | SqlError, R>
    : Port[Name] extends Effect.Effect<infer A, infer E, infer R>
      ? Effect.Effect<A, E | SqlError, R>
      : Port[Name]
}

/** The port of a store over SQL. */
export const make = <Port extends object>(overSql: OverSql<Port>): Port =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member is what the port has, but for the error of its effects, and that is what `portOf` changes
  Object.fromEntries(Object.entries(overSql).map(([name, member]) => [name, portOf(member)])) as Port

const portOf = (member: unknown): unknown => {
  if (isEffect(member)) return orStoreError(member)
  if (typeof member !== "function") return member
  return (...args: ReadonlyArray<unknown>) => portOf(Reflect.apply(member, undefined, args))
}

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown, unknown> => Effect.isEffect(value)

/**
 * The same for one effect. A transaction that loses its connection cannot be rolled back either, and Effect takes that for a
 * defect: here it is an error of the database, like every other lost connection.
 */
export const orStoreError = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.catchIf(
      (error): error is Extract<E, SqlError> => isSqlError(error),
      (error) => Effect.fail(toStoreError(error))
    ),
    Effect.catchDefect((defect) => (isSqlError(defect) ? Effect.fail(toStoreError(defect)) : Effect.die(defect)))
  )

const toStoreError = (error: SqlError): StoreError =>
  new StoreError({
    message: error.message,
    isRetryable: mayPass(error),
    isDuplicate: error.reason._tag === "UniqueViolation",
    cause: error
  })
