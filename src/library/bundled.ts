/**
 * The mark of a process whose own modules are inside of bundles: no module of a user can share them.
 *
 * It is on the global object, since whoever sets it has none of the modules that read it.
 */
export const bundled: unique symbol = Symbol.for("millrace/bundled")

export const isBundled = (): boolean => Reflect.get(globalThis, bundled) === true
