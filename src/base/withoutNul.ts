/** Postgres keeps no NUL in text. In a URL this is the same URL, and in a message it is still seen. */
export const withoutNul = <Text extends string | null | undefined>(text: Text) => text?.replaceAll("\0", "%00") ?? null
