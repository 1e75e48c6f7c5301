import { FirnError } from '@firn/codec'

/**
 * Codes of {@link DocsError}:
 *
 * - `DOCS_USAGE`: the command line is invalid.
 * - `DOCS_PAGE`: a Markdown file of the repository is missing in the site, or a page has no source.
 * - `DOCS_REFERENCE`: the reference of a package cannot be generated.
 * - `DOCS_LINK`: a page links to a page, file or heading that does not exist.
 */
export type DocsErrorCode = 'DOCS_USAGE' | 'DOCS_PAGE' | 'DOCS_REFERENCE' | 'DOCS_LINK'

/** The error that this package throws. */
export class DocsError extends FirnError<DocsErrorCode> {
  override readonly name = 'DocsError'
}
