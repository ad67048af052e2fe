/** Where it is said what came of a form. */
export const said = '<output role="status"></output>';
