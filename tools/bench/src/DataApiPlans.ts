import { createDataApi } from '@firn/data-api'
import { explain, listening } from '@firn/sql/testing'
import type { Store } from '@firn/store'
import { get, LISTS, pagesOf, singles } from './DataApiLists.ts'

/** A SQL statement with the lines of its query plan. */
export interface Plan {
  readonly statement: string
  readonly plan: readonly string[]
}

/** SQL statements of the first and the hundredth page of each request, by path. */
export type Plans = ReadonlyMap<string, { readonly [page: string]: readonly Plan[] }>

/** Sends each request once and returns the query plans of its SQL statements. */
export async function plansOf(store: Store): Promise<Plans> {
  const heard = listening(store)
  const service = await createDataApi({
    store: heard.store,
    host: '127.0.0.1',
    port: 0,
    limits: undefined,
    aggregateStatus: 200,
    timeoutMs: 60_000,
    answerCacheBytes: 0,
    version: '0',
  })
  try {
    const plans = new Map<string, Record<string, readonly Plan[]>>()
    for (const [, path] of [...LISTS, ...(await singles(service.url))]) {
      const pages: Record<string, readonly Plan[]> = {}
      for (const [page, one] of Object.entries(await pagesOf(service.url, path))) {
        heard.take()
        await get(service.url + one)
        const all: Plan[] = []
        for (const statement of heard.take()) {
          all.push({ statement: statement.text, plan: await explain(store, statement, true) })
        }
        pages[page] = all
      }
      plans.set(path, pages)
    }
    return plans
  } finally {
    await service.close()
  }
}
