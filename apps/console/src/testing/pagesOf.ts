import { expect } from 'vitest'
import { type Opened, visit, type WatchedPage, watch } from './opened.ts'

/** The address of a page, which can depend on the data. For tests only. */
export type Address = string | ((opened: Opened) => string)

/** Returns functions that open pages of a service. For tests only. */
export function pagesOf(opened: () => Opened) {
  return {
    /** Opens a page and waits until it shows a text. */
    async show(watched: WatchedPage, address: Address, text: string | RegExp): Promise<void> {
      const hash = typeof address === 'string' ? address : address(opened())
      await visit(watched, opened().service.url, hash)
      await watched.page.locator('main').filter({ hasText: text }).waitFor()
    },
    /** Runs work with a page, and expects that no script failed and that no policy was violated. */
    async withPage(
      work: (watched: WatchedPage) => Promise<void>,
      view?: Parameters<typeof watch>[1],
    ): Promise<void> {
      const watched = await watch(opened(), view)
      try {
        await work(watched)
        expect(watched.problems).toEqual([])
      } finally {
        await watched.close()
      }
    },
  }
}
