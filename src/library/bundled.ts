/**
 * Marks a process whose own modules are bundled, so modules of a user cannot share them.
 *
 * The mark is on the global object, because the code that sets it imports none of the modules that read it.
 */
export const bundled: unique symbol = Symbol.for("millrace/bundled")

export const isBundled = (): boolean => Reflect.get(globalThis, bundled) === true
