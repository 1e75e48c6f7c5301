import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { accessibilityProblems, type WatchedPage } from './opened.ts'

/** Themes and widths in which every page is checked. */
export const VIEWS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const

const SCREENSHOTS = fileURLToPath(new URL('../../../../.firn/console/', import.meta.url))

/**
 * Expects that the page is accessible, fits into its width and has no errors, and writes a screenshot of it. For tests
 * only.
 */
export async function checkPage(
  { page, problems }: WatchedPage,
  name: string,
  [colorScheme, width]: (typeof VIEWS)[number],
): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: `${SCREENSHOTS}${name}-${colorScheme}-${width}.png` })
  // In dark only the colours differ.
  const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined
  expect(await accessibilityProblems(page, rules)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(Math.max(0, overflow)).toBe(0)
  expect(problems).toEqual([])
}
