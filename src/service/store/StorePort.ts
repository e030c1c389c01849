/**
 * Turns a store over SQL into its port: errors of the database become `StoreError`. Only `src/service` does that.
 *
 * Transactions are inside the store, so an error of either kind rolls them back.
 */
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { mayPass } from "#base/mayPass"
import { StoreError } from "#web/StoreError"

/** A port as SQL implements it: its effects may also fail with `SqlError`. */
export type OverSql<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Effect.Effect<infer A, infer E, infer R>
    ? (...args: Args) => Effect.Effect<A, E | SqlError, R>
    : Port[Name] extends Effect.Effect<infer A, infer E, infer R>
      ? Effect.Effect<A, E | SqlError, R>
      : Port[Name]
}

/** The port of a store over SQL. */
export const fromSql = <Port extends object>(overSql: OverSql<Port>): Port =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member is what the port has, but for the error of its effects, and that is what `portOf` changes
  Object.fromEntries(Object.entries(overSql).map(([name, member]) => [name, portOf(member)])) as Port

const portOf = (member: unknown): unknown => {
  if (isEffect(member)) return orStoreError(member)
  if (typeof member !== "function") return member
  return (...args: ReadonlyArray<unknown>) => portOf(Reflect.apply(member, undefined, args))
}

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown, unknown> => Effect.isEffect(value)

/**
 * The same for one effect. If a transaction loses its connection, its rollback fails too, and Effect makes that a defect:
 * here it becomes an error of the database, like every lost connection.
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
