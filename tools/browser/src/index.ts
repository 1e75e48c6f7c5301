/** Runs modules in headless Chromium, for tests of packages that support browsers. */

export type { Page } from 'playwright-core'
export { type Browser, type BrowserModule, type BrowserOptions, startBrowser } from './Browser.ts'
export { bundle } from './Bundle.ts'
