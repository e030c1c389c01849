/** A name as SQL has it. It imports nothing, since the page of explore writes names too. */

/** In quotes, where it needs them. `reserved`: words that are no names; undefined: nobody has said them. */
export const sqlName = (name: string, reserved: ReadonlySet<string> | undefined): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && reserved?.has(name) !== true ? name : `"${name.replaceAll('"', '""')}"`
