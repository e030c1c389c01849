/**
 * What a store fails with, whatever it is kept in.
 */
export { SqlError as StoreError } from "effect/sql/SqlError"
