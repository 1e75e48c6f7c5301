/**
 * The documentation site: creates its pages from the Markdown files and the declarations of the repository, and checks
 * its links.
 *
 * @packageDocumentation
 */
export { DocsError, type DocsErrorCode } from './DocsError.ts'
export * as LinkCheck from './LinkCheck.ts'
export * as Repository from './Repository.ts'
export * as Site from './Site.ts'
