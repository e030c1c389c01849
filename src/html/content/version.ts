/**
 * The version of the main content finder. It is a part of what a page's text means: texts of two versions are not
 * compared, so that a finder that got better is no change of any page. Raise it when what is kept changes.
 */
export const contentVersion = 10
