import type { Page } from '@firn/browser'

/** What a first visit to a page took. */
export interface Visit {
  /** Milliseconds until something was painted. */
  readonly firstPaint: number
  /** Milliseconds until the largest text or table was painted. */
  readonly largestPaint: number
  /** Compressed bytes of all answers. */
  readonly bytes: number
}

/** A phone has about a fourth of the speed of a desktop computer. */
const SLOWDOWN = 4

/** Opens a page as on a phone that visits the console for the first time, and measures it. For tests only. */
export async function firstVisit(page: Page, show: () => Promise<void>): Promise<Visit> {
  const debugging = await page.context().newCDPSession(page)
  try {
    // Another address after `#` alone would not load the page again.
    await page.goto('about:blank')
    await debugging.send('Network.setCacheDisabled', { cacheDisabled: true })
    await debugging.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await show()
    return await page.evaluate(async () => {
      const largest = await new Promise<PerformanceEntryList>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type: 'largest-contentful-paint', buffered: true })
      })
      const [first] = performance.getEntriesByName('first-contentful-paint')
      const answers = [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ] as PerformanceResourceTiming[]
      return {
        firstPaint: Math.round(first?.startTime ?? 0),
        largestPaint: Math.round(largest.at(-1)?.startTime ?? 0),
        bytes: answers.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      }
    })
  } finally {
    // The end of the session ends both settings.
    await debugging.detach()
  }
}

/** Returns the visits of pages as a table. */
export function formatVisits(visits: ReadonlyMap<string, Visit>): string {
  const lines = [...visits].map(([name, { firstPaint, largestPaint, bytes }]) =>
    [
      name.padEnd(16),
      `first paint ${String(firstPaint).padStart(5)} ms`,
      `largest paint ${String(largestPaint).padStart(5)} ms`,
      `${(bytes / 1000).toFixed(1).padStart(6)} kB`,
    ].join('  '),
  )
  return `First visits with a fourth of the processor:\n${lines.join('\n')}`
}
