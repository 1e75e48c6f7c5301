/**
 * The endpoints for operators of a service, who is one, and the pages at its root.
 *
 * @packageDocumentation
 */
export * as Console from './Console.ts'
export * as LandingPage from './LandingPage.ts'
export * as LocalAccess from './LocalAccess.ts'
export * as LocalToken from './LocalToken.ts'
export * as OperatorLink from './OperatorLink.ts'
export * as Operators from './Operators.ts'
