/** The kinds of pages that the main content finder distinguishes, in the order of its trees. */
export const pageKinds = ["article", "forum", "product", "collection", "listing", "documentation", "service"] as const

export type PageKind = (typeof pageKinds)[number]
