/**
 * The version of the main content finder. It is a part of what a page's text means: texts of two versions are not
 * compared, so that a better finder changes no page. Raise it when what is kept changes.
 */
export const contentVersion = 11
