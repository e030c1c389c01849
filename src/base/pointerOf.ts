/**
 * The JSON pointer (RFC 6901) of a member: that of the object or list which holds it, and its name or place there.
 *
 *     pointerOf("/items/0", "a/b") // "/items/0/a~1b"
 */
export const pointerOf = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`
